#include "paretofl/language/lane_attention.h"

#include <algorithm>
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
    // kLanes tokens at a time, then as many as there are.
    for (std::size_t t = 0; t < count; t += kLanes) {
      Lanes score{};
      for (std::size_t i = 0; i < row.width; ++i) score += queries[i] * load(keys + i * row.capacity + t);
      score *= scale;
      std::memcpy(scores + t, &score, sizeof score);
    }
    const float inverse = 1 / exponentiate(scores, count);
    const float* values = row.values + pair * row.capacity * row.width;
    std::fill_n(mixed, row.width, 0.0F);
    for (std::size_t t = 0; t < count; ++t) {
      const float share = scores[t] * inverse;
      for (std::size_t i = 0; i < row.width; ++i) mixed[i] += share * values[t * row.width + i];
    }
  }
}

}  // namespace paretofl
