#include "paretofl/objectives/direction.h"

#include <algorithm>
#include <array>

namespace paretofl {

Direction direction_of(const std::string& metric) {
  static constexpr std::array kLower = {"loss", "error", "mae", "mse", "rmse", "regret", "perplexity"};
  const bool lower = std::any_of(kLower.begin(), kLower.end(), [&](const char* name) { return metric.ends_with(name); });
  return lower ? Direction::kMinimize : Direction::kMaximize;
}

}  // namespace paretofl
