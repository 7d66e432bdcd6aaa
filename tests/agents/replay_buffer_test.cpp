#include "paretofl/agents/replay_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

/// Transition number i goes from i to i + 1 with action 10 i and reward 100 i.
void add(ReplayBuffer& buffer, int i, bool terminated = false) {
  const double from = i;
  const double action = 10 * i;
  const double reward = 100 * i;
  const double to = i + 1;
  buffer.add(
      {.observation = {&from, 1}, .action = {&action, 1}, .reward = {&reward, 1}, .next_observation = {&to, 1}, .terminated = terminated});
}

TransitionBatch all(const ReplayBuffer& buffer) {
  std::vector<std::size_t> places(buffer.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  TransitionBatch batch;
  buffer.take(places, batch);
  return batch;
}

TEST(ReplayBuffer, KeepsTheLastTransitions) {
  ReplayBuffer buffer(3, 1, 1);
  for (int i = 0; i < 5; ++i) add(buffer, i, i == 3);
  const TransitionBatch batch = all(buffer);
  EXPECT_EQ(batch.size, 3U);
  EXPECT_THAT(batch.observations, ElementsAre(3, 4, 2));
  EXPECT_THAT(batch.actions, ElementsAre(30, 40, 20));
  EXPECT_THAT(batch.rewards, ElementsAre(300, 400, 200));
  EXPECT_THAT(batch.next_observations, ElementsAre(4, 5, 3));
  EXPECT_THAT(batch.continues, ElementsAre(0, 1, 1));
}

TEST(ReplayBuffer, DrawsUniformlyWithReplacement) {
  ReplayBuffer buffer(10, 1, 1);
  for (int i = 0; i < 4; ++i) add(buffer, i);
  Random random({1}, "test");
  TransitionBatch batch;
  buffer.sample(40'000, random, batch);
  std::vector<int> counts(4);
  for (const float place : batch.observations) ++counts[static_cast<std::size_t>(place)];
  EXPECT_THAT(counts, testing::Each(testing::AllOf(testing::Gt(9'600), testing::Lt(10'400))));  // over 4 standard deviations
}

TEST(ReplayBuffer, ComesBackFromASavedState) {
  for (const int count : {0, 2, 3, 7}) {
    ReplayBuffer buffer(3, 1, 1);
    for (int i = 0; i < count; ++i) add(buffer, i);
    ReplayBuffer loaded(3, 1, 1);
    loaded.load(buffer.save());
    add(buffer, 50);
    add(loaded, 50);
    EXPECT_EQ(all(loaded).rewards, all(buffer).rewards) << count;
    EXPECT_EQ(all(loaded).next_observations, all(buffer).next_observations) << count;
  }
}

TEST(ReplayBuffer, RejectsAnEmptyOneAndOtherStates) {
  EXPECT_THROW(ReplayBuffer(0, 1, 1), Error);
  ReplayBuffer buffer(3, 1, 1);
  TransitionBatch batch;
  Random random({1}, "test");
  EXPECT_THROW(buffer.sample(1, random, batch), Error);
  for (int i = 0; i < 2; ++i) add(buffer, i);
  const Record good = buffer.save();
  for (const auto& [key, value] : std::map<std::string, double>{{"size", 4}, {"size", 1.5}, {"next", 3}, {"next", -1}, {"next", 1}}) {
    Record bad = good;
    bad.scalars[key] = value;
    EXPECT_THROW(ReplayBuffer(3, 1, 1).load(bad), Error) << key << " " << value;
  }
  Record nan = good;
  nan.scalars["size"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ReplayBuffer(3, 1, 1).load(nan), Error);
  EXPECT_THROW(ReplayBuffer(3, 2, 1).load(good), Error);
}

}  // namespace
}  // namespace paretofl
