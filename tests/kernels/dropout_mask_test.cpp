#include "paretofl/kernels/dropout_mask.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(DropoutMask, IsTheBitsOfTheStreamUnitMajor) {
  constexpr std::size_t kUnits = 5;
  constexpr std::size_t kSamples = 19;
  Random stream({.seed = 5}, "mask");
  DropoutMask mask;
  mask.draw(stream, kUnits, kSamples);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < kUnits * kSamples; ++i) {
    if (i % 32 == 0) word = stream();
    EXPECT_EQ(mask.factor(i / kSamples, i % kSamples), (word >> (i % 32) & 1U) != 0 ? 2.0F : 0.0F) << i;
  }
}

TEST(DropoutMask, LanesAgreeWithSingleFactors) {
  constexpr std::size_t kUnits = 50;
  for (const std::size_t samples : {1U, 7U, 32U, 33U, 128U}) {
    DropoutMask mask;
    mask.draw(Random({.seed = 6}, "mask"), kUnits, samples);
    for (std::size_t u = 0; u < kUnits; ++u) {
      for (std::size_t first = 0; first < samples; first += kLanes) {
        const Lanes lanes = mask.factors(u, first);
        for (std::size_t n = 0; n < kLanes && first + n < samples; ++n) ASSERT_EQ(lanes[n], mask.factor(u, first + n));
      }
    }
  }
}

TEST(DropoutMask, KeepsHalf) {
  DropoutMask mask;
  mask.draw(Random({.seed = 7}, "mask"), 100, 1000);
  double sum = 0;
  for (std::size_t u = 0; u < 100; ++u) {
    for (std::size_t n = 0; n < 1000; ++n) sum += mask.factor(u, n);
  }
  EXPECT_NEAR(sum / 100000, 1.0, 0.01);
}

}  // namespace
}  // namespace paretofl
