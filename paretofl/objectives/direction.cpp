#include "paretofl/objectives/direction.h"

#include <algorithm>
#include <array>

namespace paretofl {

std::optional<Direction> known_direction(const std::string& metric) {
  static constexpr std::array kLower = {"loss", "error", "mae", "mse", "rmse", "regret", "perplexity", "stationarity"};
  static constexpr std::array kHigher = {"accuracy", "reward", "return", "utility", "hypervolume"};
  // Only the difference of these has a direction.
  if (metric.starts_with("chosen_reward") || metric.starts_with("rejected_reward")) return std::nullopt;
  for (std::size_t begin = 0; begin <= metric.size();) {  // rmse/price, val/loss
    const std::size_t end = std::min(metric.find('/', begin), metric.size());
    const std::string name = metric.substr(begin, end - begin);
    if (name == "kl" || std::any_of(kLower.begin(), kLower.end(), [&](const char* last) { return name.ends_with(last); }))
      return Direction::kMinimize;
    begin = end + 1;
  }
  const bool higher = std::any_of(kHigher.begin(), kHigher.end(), [&](const char* part) { return metric.find(part) != std::string::npos; });
  return higher ? std::optional(Direction::kMaximize) : std::nullopt;
}

Direction direction_of(const std::string& metric) { return known_direction(metric).value_or(Direction::kMaximize); }

}  // namespace paretofl
