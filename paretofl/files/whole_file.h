#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace paretofl {

/// Writes a temporary file and renames it, so that a reader finds the old or the whole new content. If the path exists and is not a
/// regular file, such as /dev/stdout, it is written to directly. Of a symbolic link it is the file behind it; the link stays.
/// Throws Error if that fails.
void write_whole_file(const std::filesystem::path& path, const std::string& text);

/// The same for content too large to hold as one text: `write` fills the stream, which is binary.
void write_whole_file(const std::filesystem::path& named, const std::function<void(std::ostream&)>& write);

}  // namespace paretofl
