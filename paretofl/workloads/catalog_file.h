#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace paretofl {

/// What a file turned out to hold.
struct FileContent {
  std::filesystem::path file;      ///< as found
  std::vector<std::size_t> shape;  ///< empty where an optional file is absent
  std::string sha256;              ///< empty if none is expected
};

/// A download that holds a file of the catalog, alone or with others.
struct PublishedFile {
  std::string name;
  std::size_t bytes = 0;  ///< 0 if the publisher's copy was not at hand
  std::string md5;        ///< empty likewise
};

/// One file and what it must hold.
struct CatalogFile {
  std::string name;                ///< official name without ".gz"
  std::vector<std::size_t> shape;  ///< how many, such as [N, H, W] of images, [N] of labels
  std::string unit;                ///< of what
  PublishedFile published;
  /// Reads the file as the workload does. Throws Error if it is missing (unless optional) or damaged.
  FileContent (*read)(const CatalogFile& file, const std::filesystem::path& folder) = nullptr;
  std::string sha256;     ///< of the uncompressed file; empty where only its shape is checked
  bool optional = false;  ///< the workload does without
};

/// The readers, one per format: IDX with labels below ten, a batch of CIFAR-10's binary version (shape [records,
/// bytes of one]), QM9's molecules (each index once) and its uncharacterized.txt, CelebA's packed attributes, its two
/// lists, and its aligned images 000001.jpg up to the expected number, each decoded (shape [N, H, W]); questions
/// of GSM8K, MATH, MBPP and HumanEval.
FileContent read_idx_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_cifar_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_qm9_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_uncharacterized_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_face_table_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_celeba_attributes_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_celeba_partition_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_celeba_images_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_gsm8k_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_competition_math_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_mbpp_content(const CatalogFile& file, const std::filesystem::path& folder);
FileContent read_humaneval_content(const CatalogFile& file, const std::filesystem::path& folder);

/// One file looked at: whether it is there, readable, of the published counts and shape, its labels in
/// range and, where the catalog has a checksum, of the published content.
struct FileCheck {
  std::string file;     ///< path as found; with the official name if there is a problem
  std::string found;    ///< what it holds; empty if there is a problem
  std::string problem;  ///< one line; empty if the file is as published

  bool ok() const { return problem.empty(); }
};

/// Checks a file in a folder. Never throws on what it finds there.
FileCheck check_file(const CatalogFile& expected, const std::filesystem::path& folder);

}  // namespace paretofl
