#include "paretofl/core/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;

using Block = std::array<std::uint32_t, 4>;

// Known answers of the Random123 distribution for Philox4x32-10.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

std::vector<std::uint32_t> draws(Random random, int count = 64) {
  std::vector<std::uint32_t> draws;
  for (int i = 0; i < count; ++i) draws.push_back(random());
  return draws;
}

// Every run ever published depends on these.
TEST(Random, StreamsAreFrozen) {
  Random random({.seed = 1, .round = 2, .client = 3}, "train");
  EXPECT_THAT(draws(random, 5), ElementsAre(0xc56ad005, 0xcef2c829, 0x850cb4c6, 0x12979dcf, 0x2b57ebe7));
  EXPECT_THAT(draws(random.substream("step", 7), 3), ElementsAre(0x2fc245b6, 0xaf6c3fd8, 0x22e77e5e));
  EXPECT_EQ(random.uniform(), 0.77116108542972839);
  EXPECT_EQ(random.below(1000), 871U);
}

TEST(Random, DrawsAreTheBlocksOfItsKeyAndCounter) {
  const Random fresh = Random({.seed = 5 + (std::uint64_t{1} << 40), .round = 2, .client = 3}, "train").substream("masks", 4);
  const std::vector<std::uint32_t> expected = draws(fresh, 12);
  for (std::uint32_t b = 0; b < 3; ++b) {
    Block counter = fresh.counter();
    counter[0] += b;
    EXPECT_THAT(philox4x32(counter, fresh.key()), ElementsAreArray(expected.begin() + 4 * b, expected.begin() + 4 * (b + 1)));
  }
}

TEST(Random, EveryCoordinateGivesAnotherStream) {
  const StreamId id{.seed = 1, .round = 1, .client = 1};
  const std::vector<Random> streams{
      Random(id, "a"),
      Random({.seed = 2, .round = 1, .client = 1}, "a"),
      Random({.seed = 1 + (std::uint64_t{1} << 32), .round = 1, .client = 1}, "a"),
      Random({.seed = 1, .round = 2, .client = 1}, "a"),
      Random({.seed = 1, .round = 1, .client = 2}, "a"),
      Random({.seed = 1, .round = 1, .client = kServerStream}, "a"),
      Random(id, "b"),
      Random(id, "aa"),
      Random(id, ""),
      Random(id, "a").substream("a"),
      Random(id, "a").substream("a", 1),
      Random(id, "a").substream("a", std::uint64_t{1} << 40),
      Random(id, "a").substream("a").substream("a"),
  };
  std::set<std::uint32_t> all;
  for (const Random& stream : streams) {
    for (const std::uint32_t draw : draws(stream)) all.insert(draw);
  }
  // 832 draws of 2^32: a repetition between unrelated streams has a chance of 1 in 12,000.
  EXPECT_EQ(all.size(), 64 * streams.size());
}

TEST(Random, SameCoordinatesGiveTheSameStream) {
  const StreamId id{.seed = 5, .round = 6, .client = 7};
  EXPECT_EQ(draws(Random(id, "x")), draws(Random(id, "x")));
  Random used(id, "x");
  for (int i = 0; i < 3; ++i) used();
  EXPECT_EQ(draws(used.substream("y", 2)), draws(Random(id, "x").substream("y", 2))) << "whatever was drawn before";
}

TEST(Random, ThousandsOfSubstreamsDiffer) {
  const Random parent({.seed = 1}, "steps");
  std::set<std::uint32_t> first;
  for (std::uint64_t i = 0; i < 1000; ++i) first.insert(parent.substream("step", i)());
  EXPECT_GE(first.size(), 999U);
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const std::function<double()>& draw, int count = 100000) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

// Tolerances are five standard errors or more, and the streams are fixed.
TEST(Random, UniformCoversTheUnitInterval) {
  Random random({.seed = 11}, "uniform");
  std::vector<int> bins(10);
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform();
    ASSERT_TRUE(x >= 0 && x < 1);
    ++bins[static_cast<std::size_t>(10 * x)];
  }
  EXPECT_THAT(bins, Each(testing::AllOf(testing::Gt(9500), testing::Lt(10500))));
  const Moments scaled = moments([&] { return random.uniform(-3, 5); });
  EXPECT_NEAR(scaled.mean, 1, 0.04);
  EXPECT_NEAR(scaled.variance, 64.0 / 12, 0.08);
}

TEST(Random, BelowIsUnbiased) {
  Random random({.seed = 12}, "below");
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  EXPECT_THAT(counts, Each(testing::AllOf(testing::Gt(9500), testing::Lt(10500))));
  // With 3/4 of the whole range as bound, draws modulo the bound would put half of them into its first third.
  const std::uint64_t bound = std::uint64_t{3} << 62;
  int low = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t draw = random.below(bound);
    ASSERT_LT(draw, bound);
    low += draw < bound / 3 ? 1 : 0;
  }
  EXPECT_NEAR(low, 10000, 500);
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_THROW(random.below(0), Error);
}

TEST(Random, NormalHasItsMomentsAndTails) {
  Random random({.seed = 13}, "normal");
  int beyond_two = 0;
  const Moments found = moments([&] {
    const double x = random.normal();
    beyond_two += std::abs(x) > 2 ? 1 : 0;
    return x;
  });
  EXPECT_NEAR(found.mean, 0, 0.016);
  EXPECT_NEAR(found.variance, 1, 0.025);
  EXPECT_NEAR(beyond_two, 4550, 350);
}

TEST(Random, GammaHasItsMoments) {
  Random random({.seed = 14}, "gamma");
  for (const double shape : {0.1, 0.3, 1.0, 2.5, 40.0}) {
    const Moments found = moments([&] {
      const double x = random.gamma(shape);
      EXPECT_GE(x, 0);
      return x;
    });
    EXPECT_NEAR(found.mean, shape, 0.02 * std::max(1.0, shape)) << shape;
    EXPECT_NEAR(found.variance, shape, 0.1 * std::max(1.0, shape)) << shape;
  }
  EXPECT_THROW(random.gamma(0), Error);
  EXPECT_THROW(random.gamma(-1), Error);
  EXPECT_THROW(random.gamma(std::nan("")), Error);
}

TEST(Random, DirichletHasItsMoments) {
  Random random({.seed = 15}, "dirichlet");
  const std::vector<double> alpha{0.3, 0.3, 1.4};
  std::vector<double> sums(3);
  constexpr int kDraws = 20000;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<double> draw = random.dirichlet(alpha);
    ASSERT_NEAR(draw[0] + draw[1] + draw[2], 1, 1e-12);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_GE(draw[k], 0);
      sums[k] += draw[k];
    }
    squares += draw[2] * draw[2];
  }
  EXPECT_NEAR(sums[0] / kDraws, 0.15, 0.01);
  EXPECT_NEAR(sums[1] / kDraws, 0.15, 0.01);
  EXPECT_NEAR(sums[2] / kDraws, 0.7, 0.01);
  // Variance alpha_k (alpha_0 - alpha_k) / (alpha_0^2 (alpha_0 + 1)), alpha_0 = 2.
  EXPECT_NEAR(squares / kDraws - 0.7 * 0.7, 1.4 * 0.6 / 12, 0.005);
}

TEST(Random, DirichletOfTinyConcentrationsIsACorner) {
  Random random({.seed = 16}, "dirichlet");
  std::set<std::size_t> corners;
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> draw = random.dirichlet(std::vector<double>{1e-6, 1e-6, 1e-6});
    for (std::size_t k = 0; k < 3; ++k) {
      if (draw[k] > 0.999) corners.insert(k);
    }
    ASSERT_NEAR(draw[0] + draw[1] + draw[2], 1, 1e-12);
  }
  EXPECT_EQ(corners.size(), 3U);
}

TEST(Random, SamplesWithoutReplacement) {
  Random random({.seed = 17}, "sample");
  std::vector<int> drawn(10);
  std::vector<int> drawn_first(10);
  for (int i = 0; i < 20000; ++i) {
    const std::vector<std::size_t> sample = random.sample_without_replacement(10, 3);
    ASSERT_EQ(std::set<std::size_t>(sample.begin(), sample.end()).size(), 3U);
    for (const std::size_t index : sample) ++drawn.at(index);
    ++drawn_first[sample[0]];
  }
  EXPECT_THAT(drawn, Each(testing::AllOf(testing::Gt(5650), testing::Lt(6350))));
  EXPECT_THAT(drawn_first, Each(testing::AllOf(testing::Gt(1780), testing::Lt(2220))));

  std::vector<std::size_t> all = random.sample_without_replacement(100, 100);
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(all[i], i);
  EXPECT_TRUE(random.sample_without_replacement(5, 0).empty());
  EXPECT_THROW(random.sample_without_replacement(5, 6), Error);
  EXPECT_EQ(random.sample_without_replacement(std::size_t{1} << 60, 2).size(), 2U) << "costs nothing for a large population";
}

TEST(Random, ShufflesUniformly) {
  Random random({.seed = 18}, "shuffle");
  std::map<std::vector<int>, int> orders;
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> values{1, 2, 3};
    random.shuffle(std::span(values));
    ++orders[values];
  }
  EXPECT_EQ(orders.size(), 6U);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace paretofl
