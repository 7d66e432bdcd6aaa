#pragma once

#include <nlohmann/json.hpp>

namespace paretofl {

/// The number with that many significant digits; null if it isn't finite.
nlohmann::json rounded(double value, int digits);

}  // namespace paretofl
