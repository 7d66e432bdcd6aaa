#include "paretofl/report/rounded.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace paretofl {

nlohmann::json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  // Not std::stod, which throws where the text stands for a denormal number.
  const double number = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  return std::isfinite(number) ? number : value;  // the largest doubles round up to infinity
}

}  // namespace paretofl
