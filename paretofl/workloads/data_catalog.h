#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// One published file and what it must hold.
struct CatalogFile {
  std::string name;                ///< official name without ".gz"
  std::vector<std::size_t> shape;  ///< [N, H, W] of images, [N] of labels
  std::size_t gz_bytes = 0;        ///< size of the published .gz
  std::string gz_md5;              ///< MD5 of the published .gz
  std::string sha256;              ///< of the uncompressed file; empty where only its shape is checked
};

/// Files that are published together and kept in one folder.
struct CatalogSource {
  std::string folder;  ///< below data.root
  std::string title;
  std::string home;
  std::string reference;
  std::vector<CatalogFile> files;
};

/// What a workload reads from data.root.
struct CatalogEntry {
  std::string workload;
  std::string summary;
  std::vector<const CatalogSource*> sources;
};

std::span<const CatalogEntry> data_catalog();

/// The entry of that workload. Throws Error naming those with data where there is none.
const CatalogEntry& catalog_entry(std::string_view workload);

/// One file looked at: whether it is there, readable, of the published counts and shape, its labels in
/// range and, where the catalog has a checksum, of the published content.
struct FileCheck {
  std::string file;     ///< path as found, or the official name where it is absent
  std::string found;    ///< what it holds; empty if there is a problem
  std::string problem;  ///< one line; empty if the file is as published

  bool ok() const { return problem.empty(); }
};

/// Checks all files of a source in `root`. Never throws on what it finds there.
std::vector<FileCheck> check_source(const CatalogSource& source, const std::filesystem::path& root);

}  // namespace paretofl
