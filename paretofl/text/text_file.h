#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace paretofl {

/// Reads a text file, plain or gzip-compressed; the content decides, not the name. Throws Error naming the file where
/// it is missing, damaged or larger than a GiB.
std::string read_text(const std::filesystem::path& file);

/// A word of a file as messages show it: its first 40 characters, with ? for what is not printable ASCII.
std::string shown(std::string_view word);

}  // namespace paretofl
