#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace paretofl {

/// Writes a file aside and renames it, so that a reader finds the content before or the whole new one. What is there and no
/// file, such as /dev/stdout, is written to.
/// Throws Error where that fails.
void write_whole_file(const std::filesystem::path& path, const std::string& text);

/// The same for content too large to hold as one text: `write` fills the stream, which is binary.
void write_whole_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace paretofl
