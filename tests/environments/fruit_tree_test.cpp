#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/environments/fruits.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::Each;
using testing::ElementsAre;
enum { kBranchLeft, kBranchRight };

TEST(FruitTree, EndsAtTheFruitThatTheTurnsSpell) {
  for (std::size_t leaf = 0; leaf < 64; ++leaf) {
    Player player("fruit-tree-v0");
    for (int depth = 5; depth >= 0; --depth) {
      player.play(static_cast<double>(leaf >> depth & 1U));
      EXPECT_THAT(player.observation, ElementsAre(6 - depth, leaf >> depth));
      EXPECT_EQ(player.outcome.terminated, depth == 0);
      if (depth > 0) {
        EXPECT_THAT(player.reward, Each(0));
      }
    }
    for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(player.reward[k], static_cast<float>(kFruits[leaf][k]));
  }
}

TEST(FruitTree, HasFruitsOfNormTenThatNoneDominates) {
  for (const auto& fruit : kFruits) {
    double square = 0;
    for (const double amount : fruit) square += amount * amount;
    EXPECT_NEAR(std::sqrt(square), 10, 1e-7);
    for (const auto& other : kFruits) {
      bool better = false;
      for (std::size_t k = 0; k < 6; ++k) better = better || fruit[k] > other[k];
      EXPECT_TRUE(better || &fruit == &other);
    }
  }
}

TEST(FruitTree, HoldsThePublishedFruits) {
  EXPECT_THAT(kFruits.front(), ElementsAre(0.26745039, 3.54435815, 4.39088762, 0.5898826, 7.7984232, 2.63110921));
  EXPECT_THAT(kFruits[58], ElementsAre(9.59164585, 1.48925818, 0.72278285, 2.04850964, 1.0181982, 0.16402902));
  EXPECT_THAT(kFruits.back(), ElementsAre(4.72502594, 5.38532887, 5.40386645, 1.57883722, 0.24912224, 4.11288237));
}

TEST(FruitTree, LoadsNoNodeOutsideOrBelowTheTree) {
  Player player("fruit-tree-v0");
  Record state = player.environment->save();
  const auto set = [&](std::int64_t steps, std::int64_t depth, std::int64_t place) {
    state.arrays.at("progress") = Array(std::vector<std::int64_t>{1, 0, 0, 0, steps, 1});
    state.records.at("state").arrays.at("node") = Array(std::vector<std::int64_t>{depth, place});
  };
  set(2, 2, 3);
  EXPECT_NO_THROW(player.environment->load(state));
  set(2, 2, 4);
  EXPECT_THROW(player.environment->load(state), Error);
  set(2, 3, 3);
  EXPECT_THROW(player.environment->load(state), Error);
  set(6, 6, 3);
  EXPECT_THROW(player.environment->load(state), Error);
}

}  // namespace
}  // namespace paretofl
