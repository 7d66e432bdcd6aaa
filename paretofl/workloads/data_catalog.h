#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/workloads/catalog_file.h"

namespace paretofl {

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

/// The command line that tells which files a workload reads: "paretofl data NAME", or "paretofl data" where it has no entry.
std::string data_command(std::string_view workload);

/// Checks all files of a source in `root`. Never throws on what it finds there.
std::vector<FileCheck> check_source(const CatalogSource& source, const std::filesystem::path& root);

}  // namespace paretofl
