#pragma once

#include <utility>

#include "paretofl/kernels/lanes.h"

namespace paretofl {

// Exchanges the off-diagonal Step x Step parts of the 2 x 2 parts that rows a and b = a + Step belong to,
// for every column n: what a holds where n has the bit Step against what b holds where it has not.
template <std::size_t Step, std::size_t... N>
inline void exchange_parts(Lanes& row_a, Lanes& row_b, std::index_sequence<N...>) {
  const Lanes a = row_a;
  const Lanes b = row_b;
  row_a = __builtin_shufflevector(a, b, ((N & Step) != 0 ? kLanes + N - Step : N)...);
  row_b = __builtin_shufflevector(a, b, ((N & Step) != 0 ? kLanes + N : N + Step)...);
}

/// Transposes the square block [kLanes, kLanes] in place.
template <std::size_t Step = 1>
inline void transpose(Lanes (&block)[kLanes]) {
#pragma GCC unroll 16
  for (std::size_t n = 0; n < kLanes; ++n) {
    if ((n & Step) == 0) exchange_parts<Step>(block[n], block[n + Step], std::make_index_sequence<kLanes>());
  }
  if constexpr (2 * Step < kLanes) transpose<2 * Step>(block);
}

}  // namespace paretofl
