#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kUp, kDown, kLeft, kRight };

TEST(DeepSeaTreasure, StaysOnTheMapAndOutOfTheRock) {
  Player player("deep-sea-treasure-v0");
  for (const int off_the_map : {kUp, kLeft}) {
    player.play(off_the_map);
    EXPECT_THAT(player.observation, ElementsAre(0, 0));
    EXPECT_THAT(player.reward, ElementsAre(0, -1));
  }
  player.play(kRight, 10);
  EXPECT_THAT(player.observation, ElementsAre(0, 10));
  player.play(kRight);
  player.play(kDown, 11);
  EXPECT_THAT(player.observation, ElementsAre(10, 10));
  EXPECT_FALSE(player.outcome.ended());
  player.play(kUp, 2);  // beside the treasure of column 9 is water, beside that of column 8 rock
  player.play(kLeft);
  EXPECT_THAT(player.observation, ElementsAre(8, 9));
  player.play(kLeft);
  player.play(kLeft);
  EXPECT_THAT(player.observation, ElementsAre(8, 8));
  EXPECT_THAT(player.reward, ElementsAre(0, -1));
  player.play(kDown);
  EXPECT_THAT(player.reward, ElementsAre(22.4F, -1));
  EXPECT_TRUE(player.outcome.terminated);
}

TEST(DeepSeaTreasure, EndsAtEveryTreasureOfBothMaps) {
  const std::vector<int> rows = {1, 2, 3, 4, 4, 4, 7, 7, 9, 10};
  const std::vector<float> convex = {0.7F, 8.2F, 11.5F, 14, 15.1F, 16.1F, 19.6F, 20.3F, 22.4F, 23.7F};
  const std::vector<float> concave = {1, 2, 3, 5, 8, 16, 24, 50, 74, 124};
  for (int column = 0; column < 10; ++column) {
    const auto place = static_cast<std::size_t>(column);
    for (const auto& [id, treasures] : {std::pair("deep-sea-treasure-v0", convex), std::pair("deep-sea-treasure-concave-v0", concave)}) {
      Player player(id);
      player.play(kRight, column);
      player.play(kDown, rows[place] - 1);
      EXPECT_FALSE(player.outcome.ended());
      player.play(kDown);
      EXPECT_TRUE(player.outcome.terminated);
      EXPECT_THAT(player.reward, ElementsAre(treasures[place], -1));
    }
  }
}

TEST(DeepSeaTreasure, IsTheConcaveOneToTheRightOfTheMirroredStart) {
  for (int column = 0; column < 10; ++column) {
    Player mirrored("deep-sea-treasure-mirrored-v0");
    Player concave("deep-sea-treasure-concave-v0");
    EXPECT_THAT(mirrored.observation, ElementsAre(0, 10));
    for (Player* player : {&mirrored, &concave}) {
      player->play(kRight, column);
      while (!player->outcome.ended()) player->play(kDown);
      EXPECT_TRUE(player->outcome.terminated);
    }
    EXPECT_THAT(mirrored.observation, ElementsAre(concave.observation[0], 10 + column));
    EXPECT_EQ(mirrored.reward, concave.reward);
    Player left("deep-sea-treasure-mirrored-v0");
    left.play(kLeft, column + 1);
    left.play(kDown, 20);
    EXPECT_THAT(left.observation, ElementsAre(concave.observation[0], 9 - column));
    EXPECT_FALSE(left.outcome.ended());
  }
}

TEST(DeepSeaTreasure, IsTruncatedAtStep100AlsoWhereItTerminates) {
  Player player("deep-sea-treasure-v0");
  player.play(kUp, 99);
  EXPECT_FALSE(player.outcome.ended());
  player.play(kUp);
  EXPECT_TRUE(player.outcome.truncated);
  EXPECT_FALSE(player.outcome.terminated);
  player.environment->reset(player.observation);
  player.play(kUp, 99);
  player.play(kDown);
  EXPECT_TRUE(player.outcome.truncated);
  EXPECT_TRUE(player.outcome.terminated);
}

TEST(DeepSeaTreasure, LoadsNoPositionInTheRock) {
  Player player("deep-sea-treasure-v0");
  Record state = player.environment->save();
  state.records.at("state").arrays.at("position") = Array(std::vector<std::int64_t>{2, 0});
  EXPECT_THROW(player.environment->load(state), Error);
}

}  // namespace
}  // namespace paretofl
