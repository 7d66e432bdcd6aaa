#pragma once

#include <cstdint>

namespace paretofl {

/// Which values of an objective are better: higher ones (returns, accuracies) or lower ones (losses).
enum class Direction : std::uint8_t { kMaximize, kMinimize };

}  // namespace paretofl
