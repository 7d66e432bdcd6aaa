#include "paretofl/kernels/lane_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {
namespace {

constexpr std::size_t kPairs = 2, kHeads = 4;

struct Tokens {
  std::size_t prompt, drawn, width;
};

class LaneAttention : public testing::TestWithParam<Tokens> {};

// Every token's keys and values by appending them: those of the prompt as another sequence's own.
TEST_P(LaneAttention, IsTheDefinitionOverBothParts) {
  const auto [prompt, drawn, width] = GetParam();
  Random random({prompt, static_cast<std::uint32_t>(width)}, "attention");
  const auto numbers = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& x : values) x = static_cast<float>(random.normal());
    return values;
  };
  const std::size_t all = prompt + drawn;
  const std::vector<float> keys = numbers(all * kPairs * width), values = numbers(keys.size()), queries = numbers(kHeads * width);
  const std::size_t capacity = whole_lanes(all);
  std::vector<float> prompt_keys(kPairs * width * capacity), prompt_values(prompt_keys.size()), own_keys(prompt_keys.size()),
      own_values(prompt_keys.size());
  CachedSequence first{.parts = {CachedTokens{}, {prompt_keys.data(), prompt_values.data(), capacity, 0}}, .pairs = kPairs, .width = width};
  CachedSequence sequence{.parts = {CachedTokens{prompt_keys.data(), prompt_values.data(), capacity, prompt},
                                    {own_keys.data(), own_values.data(), capacity, 0}},
                          .pairs = kPairs,
                          .width = width};
  for (std::size_t t = 0; t < all; ++t) {
    append_to_cache(t < prompt ? first : sequence, keys.data() + t * kPairs * width, values.data() + t * kPairs * width);
  }
  ASSERT_EQ(sequence.parts[1].count, drawn);
  std::vector<float> scores(2 * capacity, NAN), mixed(kHeads * width, NAN);
  attend_to_cache(sequence, kHeads, queries.data(), scores.data(), mixed.data());
  for (std::size_t h = 0; h < kHeads; ++h) {
    const std::size_t pair = h / (kHeads / kPairs);
    std::vector<double> expected(width);
    double sum = 0;
    for (std::size_t t = 0; t < all; ++t) {
      const std::size_t at = (t * kPairs + pair) * width;
      double score = 0;
      for (std::size_t i = 0; i < width; ++i) score += static_cast<double>(queries[h * width + i]) * keys[at + i];
      const double share = std::exp(score / std::sqrt(static_cast<double>(width)));
      sum += share;
      for (std::size_t i = 0; i < width; ++i) expected[i] += share * values[at + i];
    }
    for (std::size_t i = 0; i < width; ++i) ASSERT_NEAR(mixed[h * width + i], expected[i] / sum, 5e-6) << "head " << h << ", number " << i;
  }
}

// Counts and widths about one, two, four, five and eight registers.
INSTANTIATE_TEST_SUITE_P(Counts, LaneAttention,
                         testing::Values(Tokens{1, 1, 6}, Tokens{15, 3, 16}, Tokens{16, 17, 20}, Tokens{33, 16, 32}, Tokens{49, 1, 40},
                                         Tokens{64, 65, 64}, Tokens{81, 70, 80}, Tokens{130, 2, 32}));

}  // namespace
}  // namespace paretofl
