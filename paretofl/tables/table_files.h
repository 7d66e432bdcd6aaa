#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A file of rows and what it is called where each file is a client: its path without the ending, from the folder that a pattern's files
/// are in, such as "north" or "north/rows".
struct TableFile {
  std::filesystem::path path;
  std::string client;
};

/// The files that `pattern`, below `root` or absolute, stands for, in the natural order of their clients: a file; a folder, whose files
/// that end with .csv, .csv.gz or .npy are meant; or a pattern of glob(7) such as clients/*.csv. Throws Error if there is none, and where
/// two have the same name but for the ending.
std::vector<TableFile> table_files(const std::filesystem::path& root, const std::string& pattern);

/// Whether the file is read as NumPy's format instead of CSV.
bool is_npy(const std::filesystem::path& file);

}  // namespace paretofl
