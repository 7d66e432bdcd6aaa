#pragma once

#include <cstdint>

namespace paretofl {

/// Whether a reply came while its exchange was open, or what had ended the exchange.
enum class Lateness : std::uint8_t { kInTime, kDeadline, kEnough };

}  // namespace paretofl
