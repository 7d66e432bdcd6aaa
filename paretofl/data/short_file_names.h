#pragma once

#include <string>
#include <vector>

namespace paretofl {

/// What files are called in figures: their names without folder and extensions, or as they are given where two of these are alike.
std::vector<std::string> short_file_names(const std::vector<std::string>& files);

}  // namespace paretofl
