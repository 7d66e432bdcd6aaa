#include "paretofl/objectives/shared_unit.h"

#include <algorithm>
#include <array>

namespace paretofl {

bool has_shared_unit(const std::string& metric) {
  static constexpr std::array kUnlike = {"return", "reward", "mae"};
  return std::none_of(kUnlike.begin(), kUnlike.end(), [&](const char* name) { return metric.ends_with(name); });
}

}  // namespace paretofl
