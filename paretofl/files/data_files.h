#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace paretofl {

/// The files of a folder whose names end in one of `extensions` (in lower case, such as ".jpg"; files may write them in upper case), in the
/// order of their paths; also those of folders within if `recursive`. Hidden files and notes beside the data (README, *.txt, *.md) are
/// passed over. Throws Error on any other file, so that none is left out unnoticed, and where the folder can't be read.
std::vector<std::filesystem::path> data_files(const std::filesystem::path& folder, const std::vector<std::string>& extensions,
                                              bool recursive = false);

}  // namespace paretofl
