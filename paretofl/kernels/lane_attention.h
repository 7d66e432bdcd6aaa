#pragma once

#include <array>
#include <cstddef>

namespace paretofl {

/// Keys and values of consecutive tokens; what lies beyond them is finite.
struct CachedTokens {
  float* keys = nullptr;     ///< [pairs, width, capacity]
  float* values = nullptr;   ///< [pairs, capacity, width]
  std::size_t capacity = 0;  ///< a multiple of kLanes
  std::size_t count = 0;
  std::size_t first = 0;  ///< tokens before it are not seen; the newest one is
};

/// What one sequence of a batch has seen.
struct CachedSequence {
  std::array<CachedTokens, 2> parts;  ///< its prompt, which others may share, and its own further tokens
  std::size_t pairs = 0;              ///< key-value heads
  std::size_t width = 0;              ///< head_dim
  float cap = 0;                      ///< c > 0: scores s become c tanh(s / c); 0: they stay
};

/// Writes keys and values [pairs, width] of one more own token, which is counted from here on.
void append_to_cache(CachedSequence& sequence, const float* keys, const float* values);

/// Attention of queries [heads, width] over all tokens that are seen -> mixed [heads, width]. `scores` has room for both capacities.
void attend_to_cache(const CachedSequence& sequence, std::size_t heads, const float* queries, float* scores, float* mixed);

}  // namespace paretofl
