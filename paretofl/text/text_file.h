#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace paretofl {

/// Reads a text file, plain or gzip-compressed; the content decides, not the name. Throws Error naming the file where
/// it is missing, damaged or larger than a GiB, and as gunzipped() does.
std::string read_text(const std::filesystem::path& file);

/// A word of a file as messages show it: its first 40 characters, with ? for what is not printable ASCII.
std::string shown(std::string_view word);

/// Calls `take` with every line of a text, without its end (a line feed), and its number from 1. What follows the last
/// line feed is a line unless it is empty.
void for_each_line(std::string_view text, const std::function<void(std::string_view line, std::size_t number)>& take);

}  // namespace paretofl
