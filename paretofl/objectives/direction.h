#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace paretofl {

/// Which values of an objective are better: higher ones (returns, accuracies) or lower ones (losses).
enum class Direction : std::uint8_t { kMaximize, kMinimize };

/// Of a metric by its name, such as "loss", "rmse/price" or "accuracy_sums". None where neither is better or nobody knows, such as of
/// "response_length" or of a metric that a program made up.
std::optional<Direction> known_direction(const std::string& metric);

/// The same; what has no known direction is maximized.
Direction direction_of(const std::string& metric);

}  // namespace paretofl
