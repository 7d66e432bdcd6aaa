#include "paretofl/kernels/lane_attention.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/kernels/lane_exp.h"

namespace paretofl {
namespace {

// Scores of queries [width] and Blocks blocks of kLanes keys [width, capacity]: as many sums as blocks, none of which waits
// for another.
template <std::size_t Blocks>
void score_blocks(const CachedTokens& tokens, const float* keys, std::size_t width, const float* queries, float* scores) {
  std::array<Lanes, Blocks> sums{};
  for (std::size_t i = 0; i < width; ++i, keys += tokens.capacity) {
    for (std::size_t n = 0; n < Blocks; ++n) sums[n] += queries[i] * load_lanes(keys + n * kLanes);
  }
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  for (std::size_t n = 0; n < Blocks; ++n) store_lanes(scores + n * kLanes, sums[n] * scale);
}

// Scores of queries [width] and the keys [width, capacity] of a head -> [whole_lanes(count)], what is not seen at -infinity.
void score(const CachedTokens& tokens, const float* keys, std::size_t width, const float* queries, float cap, float* scores) {
  std::size_t t = tokens.first / kLanes * kLanes;
  for (; t + 3 * kLanes < tokens.count; t += 4 * kLanes) score_blocks<4>(tokens, keys + t, width, queries, scores + t);
  for (; t + kLanes < tokens.count; t += 2 * kLanes) score_blocks<2>(tokens, keys + t, width, queries, scores + t);
  if (t < tokens.count) score_blocks<1>(tokens, keys + t, width, queries, scores + t);
  for (std::size_t s = cap > 0 ? tokens.first : tokens.count; s < tokens.count; ++s) scores[s] = cap * std::tanh(scores[s] / cap);
  std::fill(scores, scores + tokens.first, -INFINITY);
  std::fill(scores + tokens.count, scores + whole_lanes(tokens.count), -INFINITY);
}

// Exponentials of scores [whole lanes] less their largest, in place; returns their sum.
float exponentiate(float* scores, std::size_t count) {
  const float most = *std::max_element(scores, scores + count);
  Lanes sum{};
  for (std::size_t t = 0; t < count; t += kLanes) {
    const Lanes e = exp_lanes(load_lanes(scores + t) - most);
    store_lanes(scores + t, e);
    sum += e;
  }
  return sum_lanes(sum);
}

// Numbers [first, first + Blocks * kLanes) of the values' mean by shares, `behind` of which belong to the prompt.
template <std::size_t Blocks>
void mix(const CachedSequence& sequence, std::size_t pair, const float* shares, std::size_t behind, float inverse, std::size_t first,
         float* mixed) {
  constexpr std::size_t kTokens = 4;  // at a time, so that the sums of one need not wait for those of another
  const std::size_t width = sequence.width;
  std::array<std::array<Lanes, kTokens>, Blocks> sums{};
  for (const CachedTokens& part : sequence.parts) {
    const float* values = part.values + pair * part.capacity * width + first;
    // `shares` are zeros up to a whole number of lanes, and so is the cache's capacity.
    for (std::size_t t = part.first / kTokens * kTokens; t < part.count; t += kTokens) {
      for (std::size_t n = 0; n < kTokens; ++n) {
        for (std::size_t b = 0; b < Blocks; ++b) sums[b][n] += shares[t + n] * load_lanes(values + (t + n) * width + b * kLanes);
      }
    }
    shares += behind;
  }
  for (std::size_t b = 0; b < Blocks; ++b) {
    store_lanes(mixed + first + b * kLanes, ((sums[b][0] + sums[b][1]) + (sums[b][2] + sums[b][3])) * inverse);
  }
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
    score(sequence.parts[0], keys(sequence.parts[0]), width, queries, sequence.cap, scores);
    score(sequence.parts[1], keys(sequence.parts[1]), width, queries, sequence.cap, scores + behind);
    const float inverse = 1 / exponentiate(scores, all);
    std::size_t i = 0;
    for (; i + 2 * kLanes <= width; i += 2 * kLanes) mix<2>(sequence, pair, scores, behind, inverse, i, mixed);
    for (; i + kLanes <= width; i += kLanes) mix<1>(sequence, pair, scores, behind, inverse, i, mixed);
    for (; i < width; ++i) {
      float sum = 0;
      const float* shares = scores;
      for (const CachedTokens& part : sequence.parts) {
        const float* values = part.values + pair * part.capacity * width + i;
        for (std::size_t t = part.first; t < part.count; ++t) sum += shares[t] * values[t * width];
        shares += behind;
      }
      mixed[i] = sum * inverse;
    }
  }
}

}  // namespace paretofl
