#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "paretofl/core/error.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kGoLeft, kGoUp, kGoRight, kGoDown };

TEST(FourRoom, StopsAtWallsAndTheEdge) {
  Player player("four-room-v0");
  player.play(kGoLeft);
  player.play(kGoDown);
  player.play(kGoRight, 6);  // the wall between the lower rooms is column 6
  EXPECT_EQ(player.observation[0], 12);
  EXPECT_EQ(player.observation[1], 5);
}

// Row, column and kind of each shape, in the order of the observation (MO-Gymnasium's map, column by column).
TEST(FourRoom, HasThePublishedShapes) {
  struct Shape {
    int row, column;
    std::size_t kind;
  };
  constexpr std::array<Shape, 12> kShapes = {{{0, 0, 0},
                                              {5, 0, 1},
                                              {6, 2, 2},
                                              {0, 5, 1},
                                              {5, 5, 2},
                                              {2, 6, 0},
                                              {10, 6, 1},
                                              {7, 7, 1},
                                              {12, 7, 2},
                                              {6, 10, 0},
                                              {7, 12, 2},
                                              {12, 12, 0}}};
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    const auto [row, column, kind] = kShapes[i];
    Player player("four-room-v0");
    // From the cell beside it that is no wall.
    const std::vector<std::array<int, 3>> ways = {{0, -1, kGoRight}, {0, 1, kGoLeft}, {1, 0, kGoUp}, {-1, 0, kGoDown}};
    bool entered = false;
    for (const auto& [down, right, action] : ways) {
      Record state = player.environment->save();
      state.records.at("state").arrays.at("walker") = Array(std::array<std::int64_t, 14>{row + down, column + right});
      try {
        player.environment->load(state);
      } catch (const Error&) {
        continue;
      }
      player.play(action);
      entered = true;
      break;
    }
    ASSERT_TRUE(entered);
    std::vector<double> expected(3);
    expected[kind] = 1;
    EXPECT_THAT(player.reward, testing::ElementsAreArray(expected)) << row << " " << column;
    EXPECT_EQ(player.observation[2 + i], 1);
  }
}

TEST(FourRoom, CollectsEachShapeOnce) {
  Player player("four-room-v0");
  player.play(kGoUp, 5);
  player.play(kGoRight, 2);
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 0));
  player.play(kGoUp);  // a red circle in the passage at (6, 2), the third shape by columns
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 1));
  EXPECT_EQ(player.observation[2 + 2], 1);
  EXPECT_EQ(std::accumulate(player.observation.begin() + 2, player.observation.end(), 0.0), 1);
  player.play(kGoDown);
  player.play(kGoUp);
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 0));
  EXPECT_EQ(player.observation[2 + 2], 1);
}

TEST(FourRoom, EndsAtTheGoalWithOneOfEach) {
  Player player("four-room-v0");
  player.play(kGoUp, 3);
  player.play(kGoRight, 9);  // through the passage at (9, 6)
  player.play(kGoUp, 9);     // and the one at (6, 9)
  player.play(kGoRight, 2);
  EXPECT_FALSE(player.outcome.ended());
  player.play(kGoRight);
  EXPECT_EQ(player.observation[0], 0);
  EXPECT_EQ(player.observation[1], 12);
  EXPECT_THAT(player.reward, ElementsAre(1, 1, 1));
  EXPECT_TRUE(player.outcome.terminated);
}

}  // namespace
}  // namespace paretofl
