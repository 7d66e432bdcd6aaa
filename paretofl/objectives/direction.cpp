#include "paretofl/objectives/direction.h"

#include <algorithm>
#include <array>

namespace paretofl {

std::optional<Direction> known_direction(const std::string& metric) {
  static constexpr std::array kLower = {"loss", "error", "mae", "mse", "rmse", "regret", "perplexity", "stationarity"};
  static constexpr std::array kHigher = {"accuracy", "reward", "return", "utility", "hypervolume"};
  const std::string name = metric.substr(0, metric.find('/'));
  const bool lower = name == "kl" || std::any_of(kLower.begin(), kLower.end(), [&](const char* end) { return name.ends_with(end); });
  if (lower) return Direction::kMinimize;
  const bool higher = std::any_of(kHigher.begin(), kHigher.end(), [&](const char* part) { return name.find(part) != std::string::npos; });
  return higher ? std::optional(Direction::kMaximize) : std::nullopt;
}

Direction direction_of(const std::string& metric) { return known_direction(metric).value_or(Direction::kMaximize); }

}  // namespace paretofl
