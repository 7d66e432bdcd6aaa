#pragma once

#include <filesystem>
#include <span>
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
/// that end with .csv, .csv.gz or .npy, in upper or lower case, are meant; or a pattern of glob(7) such as clients/*.csv. Files whose names
/// begin with a dot belong to none of these unless they, or the dot in the pattern, are spelled. Throws Error if there is none, and where
/// two have the same name but for the ending.
std::vector<TableFile> table_files(const std::filesystem::path& root, const std::string& pattern);

/// Files that such a pattern would stand for if it had another one of these endings, such as a.CSV and b.npy beside *.csv, sorted; without
/// those whose clients `files`, which it stands for, have already.
std::vector<std::filesystem::path> files_left_out(const std::filesystem::path& root, const std::string& pattern,
                                                  std::span<const TableFile> files);

/// Whether the file is read as NumPy's format instead of CSV.
bool is_npy(const std::filesystem::path& file);

}  // namespace paretofl
