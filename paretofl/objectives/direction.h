#pragma once

#include <cstdint>
#include <string>

namespace paretofl {

/// Which values of an objective are better: higher ones (returns, accuracies) or lower ones (losses).
enum class Direction : std::uint8_t { kMaximize, kMinimize };

/// Of a metric by its name: losses and errors are minimized, all else is maximized.
Direction direction_of(const std::string& metric);

}  // namespace paretofl
