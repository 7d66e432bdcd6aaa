#pragma once

#include <filesystem>

namespace paretofl {

/// Throws Error unless there is a file at the path, or a link to one.
void expect_file(const std::filesystem::path& path);

}  // namespace paretofl
