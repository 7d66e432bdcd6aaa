#pragma once

#include <cstdint>
#include <string>

namespace paretofl {

/// An option's range as the documentation and messages name it: "0 to 1", ">= 1", or empty where there is no bound.
std::string range_text(double low, double high);
std::string range_text(std::int64_t low, std::int64_t high);

}  // namespace paretofl
