#pragma once

#include <string>
#include <vector>

namespace paretofl {

/// One line of a CSV file, ended by a newline; cells with commas, quotes or newlines are quoted.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace paretofl
