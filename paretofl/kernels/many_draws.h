#pragma once

#include <cstdint>
#include <span>

#include "paretofl/core/random.h"

namespace paretofl {

/// Draws `first`, a multiple of 4, and those behind it of a fresh stream, which has drawn nothing yet: one for each number, with the bits
/// of single calls, by vector instructions. As of any stream, of the first 2^34 draws.
void many_draws(const Random& fresh, std::uint64_t first, std::span<std::uint32_t> draws);

}  // namespace paretofl
