#pragma once

#include <filesystem>
#include <string>

namespace paretofl {

/// Writes a file aside and renames it, so that a reader finds the text before or the whole new one.
/// Throws Error where that fails.
void write_whole_file(const std::filesystem::path& path, const std::string& text);

}  // namespace paretofl
