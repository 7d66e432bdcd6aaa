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

std::size_t whole_lanes(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

// Scores of queries [width] and the keys [width, capacity] of a head -> [whole_lanes(count)], what is beyond count at -infinity.
void score(const CachedTokens& tokens, const float* keys, std::size_t width, const float* queries, float* scores) {
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  for (std::size_t t = 0; t < tokens.count; t += kLanes) {
    // Two sums, so that one addition need not wait for the other.
    Lanes even{};
    Lanes odd{};
    std::size_t i = 0;
    for (; i + 2 <= width; i += 2) {
      even += queries[i] * load(keys + i * tokens.capacity + t);
      odd += queries[i + 1] * load(keys + (i + 1) * tokens.capacity + t);
    }
    if (i < width) even += queries[i] * load(keys + i * tokens.capacity + t);
    const Lanes sum = (even + odd) * scale;
    std::memcpy(scores + t, &sum, sizeof sum);
  }
  std::fill(scores + tokens.count, scores + whole_lanes(tokens.count), -INFINITY);
}

// Exponentials of scores [whole lanes] less their largest, in place; returns their sum.
float exponentiate(float* scores, std::size_t count) {
  const float most = *std::max_element(scores, scores + count);
  Lanes sum{};
  for (std::size_t t = 0; t < count; t += kLanes) {
    const Lanes e = exp_lanes(load(scores + t) - most);
    std::memcpy(scores + t, &e, sizeof e);
    sum += e;
  }
  return sum_lanes(sum);
}

}  // namespace

void append_to_cache(CachedSequence& sequence, const float* keys, const float* values) {
  CachedTokens& own = sequence.parts[1];
  for (std::size_t p = 0; p < sequence.pairs; ++p) {
    const std::size_t first = p * sequence.width;
    for (std::size_t i = 0; i < sequence.width; ++i) own.keys[(first + i) * own.capacity + own.count] = keys[first + i];
    std::copy_n(values + first, sequence.width, own.values + (p * own.capacity + own.count) * sequence.width);
  }
  ++own.count;
}

void attend_to_cache(const CachedSequence& sequence, std::size_t heads, const float* queries, float* scores, float* mixed) {
  const std::size_t width = sequence.width;
  const std::size_t behind = whole_lanes(sequence.parts[0].count);  // where the own tokens' scores begin
  const std::size_t all = behind + whole_lanes(sequence.parts[1].count);
  for (std::size_t h = 0; h < heads; ++h, queries += width, mixed += width) {
    const std::size_t pair = h / (heads / sequence.pairs);
    const auto keys = [&](const CachedTokens& part) { return part.keys + pair * width * part.capacity; };
    score(sequence.parts[0], keys(sequence.parts[0]), width, queries, scores);
    score(sequence.parts[1], keys(sequence.parts[1]), width, queries, scores + behind);
    const float inverse = 1 / exponentiate(scores, all);
    std::size_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      std::array<Lanes, 4> sums{};
      const float* shares = scores;
      for (const CachedTokens& part : sequence.parts) {
        const float* values = part.values + pair * part.capacity * width + i;
        // `shares` are zeros up to a whole number of lanes, and so is the cache's capacity.
        for (std::size_t t = 0; t < part.count; t += 4) {
          for (std::size_t n = 0; n < 4; ++n) sums[n] += shares[t + n] * load(values + (t + n) * width);
        }
        shares += behind;
      }
      const Lanes sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) * inverse;
      std::memcpy(mixed + i, &sum, sizeof sum);
    }
    for (; i < width; ++i) {
      float sum = 0;
      const float* shares = scores;
      for (const CachedTokens& part : sequence.parts) {
        const float* values = part.values + pair * part.capacity * width + i;
        for (std::size_t t = 0; t < part.count; ++t) sum += shares[t] * values[t * width];
        shares += behind;
      }
      mixed[i] = sum * inverse;
    }
  }
}

}  // namespace paretofl
