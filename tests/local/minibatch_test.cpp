#include "paretofl/local/minibatch.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace paretofl {
namespace {

Draw draw_of(std::int64_t step) { return {Random({7, 3, 2}, "minibatch test"), step}; }

TEST(Minibatch, APassHasEverySampleOnceButForTheLastIncompleteOne) {
  std::vector<std::uint32_t> samples(11);
  std::iota(samples.begin(), samples.end(), 100U);
  std::set<std::uint32_t> seen;
  for (std::int64_t step = 0; step < 3; ++step) {
    const auto batch = minibatch(samples, 3, draw_of(step));
    ASSERT_EQ(batch.size(), 3U);
    seen.insert(batch.begin(), batch.end());
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_GE(*seen.begin(), 100U);
  EXPECT_LE(*seen.rbegin(), 110U);
}

TEST(Minibatch, PassesHaveOrdersOfTheirOwnAndEqualDrawsAgree) {
  std::vector<std::uint32_t> samples(64);
  std::iota(samples.begin(), samples.end(), 0U);
  EXPECT_EQ(minibatch(samples, 8, draw_of(3)), minibatch(samples, 8, draw_of(3)));
  EXPECT_NE(minibatch(samples, 8, draw_of(3)), minibatch(samples, 8, draw_of(3 + 8)));
  EXPECT_EQ(minibatch(samples, 64, draw_of(0)).size(), 64U);
}

}  // namespace
}  // namespace paretofl
