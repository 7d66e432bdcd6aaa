#pragma once

#include <cstddef>

namespace paretofl {

/// Keys and values of one row of a batch, and where its newest token stands.
struct CachedRow {
  float* keys = nullptr;     ///< [pairs, width, capacity]
  float* values = nullptr;   ///< [pairs, capacity, width]
  std::size_t capacity = 0;  ///< a multiple of kLanes
  std::size_t pairs = 0;     ///< key-value heads
  std::size_t width = 0;     ///< head_dim
  std::size_t position = 0;
};

/// Writes keys and values [pairs, width] of the newest token.
void append_to_cache(const CachedRow& row, const float* keys, const float* values);

/// Attention of the newest token's queries [heads, width] over all tokens up to it -> mixed [heads, width]. `scores` has
/// room for `capacity` numbers.
void attend_to_cache(const CachedRow& row, std::size_t heads, const float* queries, float* scores, float* mixed);

}  // namespace paretofl
