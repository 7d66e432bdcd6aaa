#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kLeft, kUp, kRight, kDown };

TEST(FourRoom, StopsAtWallsAndTheEdge) {
  Player player("four-room-v0");
  player.play(kLeft);
  player.play(kDown);
  player.play(kRight, 6);  // the wall between the lower rooms is column 6
  EXPECT_EQ(player.observation[0], 12);
  EXPECT_EQ(player.observation[1], 5);
}

TEST(FourRoom, CollectsEachShapeOnce) {
  Player player("four-room-v0");
  player.play(kUp, 5);
  player.play(kRight, 2);
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 0));
  player.play(kUp);  // a red circle in the passage at (6, 2), the third shape by columns
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 1));
  EXPECT_EQ(player.observation[2 + 2], 1);
  EXPECT_EQ(std::accumulate(player.observation.begin() + 2, player.observation.end(), 0.0), 1);
  player.play(kDown);
  player.play(kUp);
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 0));
  EXPECT_EQ(player.observation[2 + 2], 1);
}

TEST(FourRoom, EndsAtTheGoalWithOneOfEach) {
  Player player("four-room-v0");
  player.play(kUp, 3);
  player.play(kRight, 9);  // through the passage at (9, 6)
  player.play(kUp, 9);     // and the one at (6, 9)
  player.play(kRight, 2);
  EXPECT_FALSE(player.outcome.ended());
  player.play(kRight);
  EXPECT_EQ(player.observation[0], 0);
  EXPECT_EQ(player.observation[1], 12);
  EXPECT_THAT(player.reward, ElementsAre(1, 1, 1));
  EXPECT_TRUE(player.outcome.terminated);
}

}  // namespace
}  // namespace paretofl
