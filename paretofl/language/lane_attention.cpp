#include "paretofl/language/lane_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "paretofl/language/lane_exp.h"

namespace paretofl {
namespace {

Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

// Exponentials of scores [count] less their largest, in place, zeros up to whole lanes; returns their sum.
float exponentiate(float* scores, std::size_t count) {
  const float most = *std::max_element(scores, scores + count);
  const std::size_t end = (count + kLanes - 1) / kLanes * kLanes;
  std::fill(scores + count, scores + end, -INFINITY);
  Lanes sum{};
  for (std::size_t t = 0; t < end; t += kLanes) {
    const Lanes e = exp_lanes(load(scores + t) - most);
    std::memcpy(scores + t, &e, sizeof e);
    sum += e;
  }
  return sum_lanes(sum);
}

}  // namespace

void append_to_cache(const CachedRow& row, const float* keys, const float* values) {
  for (std::size_t p = 0; p < row.pairs; ++p) {
    for (std::size_t i = 0; i < row.width; ++i) row.keys[(p * row.width + i) * row.capacity + row.position] = keys[p * row.width + i];
    std::copy_n(values + p * row.width, row.width, row.values + (p * row.capacity + row.position) * row.width);
  }
}

void attend_to_cache(const CachedRow& row, std::size_t heads, const float* queries, float* scores, float* mixed) {
  const std::size_t count = row.position + 1;
  const float scale = 1 / std::sqrt(static_cast<float>(row.width));
  for (std::size_t h = 0; h < heads; ++h, queries += row.width, mixed += row.width) {
    const std::size_t pair = h / (heads / row.pairs);
    const float* keys = row.keys + pair * row.width * row.capacity;
    for (std::size_t t = 0; t < count; t += kLanes) {
      // Two sums, so that one addition need not wait for the other.
      Lanes even{};
      Lanes odd{};
      std::size_t i = 0;
      for (; i + 2 <= row.width; i += 2) {
        even += queries[i] * load(keys + i * row.capacity + t);
        odd += queries[i + 1] * load(keys + (i + 1) * row.capacity + t);
      }
      if (i < row.width) even += queries[i] * load(keys + i * row.capacity + t);
      const Lanes score = (even + odd) * scale;
      std::memcpy(scores + t, &score, sizeof score);
    }
    const float inverse = 1 / exponentiate(scores, count);
    const float* values = row.values + pair * row.capacity * row.width;
    std::size_t i = 0;
    for (; i + kLanes <= row.width; i += kLanes) {
      std::array<Lanes, 4> sums{};
      // `scores` are zeros up to a whole number of lanes, and so is the cache's capacity.
      for (std::size_t t = 0; t < count; t += 4) {
        for (std::size_t n = 0; n < 4; ++n) sums[n] += scores[t + n] * load(values + (t + n) * row.width + i);
      }
      const Lanes sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) * inverse;
      std::memcpy(mixed + i, &sum, sizeof sum);
    }
    for (; i < row.width; ++i) {
      float sum = 0;
      for (std::size_t t = 0; t < count; ++t) sum += scores[t] * values[t * row.width + i];
      mixed[i] = sum * inverse;
    }
  }
}

}  // namespace paretofl
