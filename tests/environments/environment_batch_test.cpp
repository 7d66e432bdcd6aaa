#include "paretofl/environments/environment_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Copy i does what one environment with its stream does that is reset whenever its episode has ended.
TEST(EnvironmentBatch, IsManyEnvironmentsInLockStep) {
  for (const std::string id : {"deep-sea-treasure-v0", "minecart-v0"}) {
    constexpr std::size_t kCopies = 3;
    EnvironmentBatch batch(id, kCopies, {.seed = 7});
    const std::size_t width = batch.spec().observation.size();
    const std::size_t objectives = batch.spec().objective_names.size();
    std::vector<std::unique_ptr<Environment>> singles;
    std::vector<std::vector<double>> current(kCopies, std::vector<double>(width));
    for (std::size_t i = 0; i < kCopies; ++i) {
      singles.push_back(make_environment(id));
      singles[i]->reset(EnvironmentBatch::copy_stream({.seed = 7}, i), current[i]);
    }
    Random random({.seed = 1}, "actions");
    int ends = 0;
    std::vector<double> actions(kCopies);
    std::vector<double> next(width);
    std::vector<double> reward(objectives);
    for (int step = 0; step < 3000; ++step) {
      for (double& action : actions) batch.spec().action.sample(random, {&action, 1});
      batch.step(actions);
      for (std::size_t i = 0; i < kCopies; ++i) {
        const StepOutcome outcome = singles[i]->step({&actions[i], 1}, next, reward);
        ASSERT_THAT(batch.next_observations().subspan(i * width, width), testing::ElementsAreArray(next));
        ASSERT_THAT(batch.rewards().subspan(i * objectives, objectives), testing::ElementsAreArray(reward));
        ASSERT_EQ(batch.outcomes()[i].terminated, outcome.terminated);
        ASSERT_EQ(batch.outcomes()[i].truncated, outcome.truncated);
        current[i] = next;
        if (outcome.ended()) singles[i]->reset(current[i]);
        ends += outcome.ended() ? 1 : 0;
        ASSERT_THAT(batch.observations().subspan(i * width, width), testing::ElementsAreArray(current[i]));
      }
    }
    EXPECT_GT(ends, 0) << id;
  }
}

TEST(EnvironmentBatch, SharesNoStreamWithItsNeighbours) {
  std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> streams;
  std::set<std::uint64_t> seeds;
  std::set<std::uint64_t> halves;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint32_t round = 0; round < 4; ++round) {
      for (std::uint32_t client = 0; client < 4; ++client) {
        for (std::size_t copy = 0; copy < 300; ++copy) {
          const StreamId stream = EnvironmentBatch::copy_stream({.seed = seed, .round = round, .client = client}, copy);
          EXPECT_EQ(stream.round, round);
          EXPECT_EQ(stream.client, client);
          streams.emplace(stream.seed, stream.round, stream.client);
          seeds.insert(stream.seed);
          halves.insert(stream.seed >> 32);
        }
      }
    }
  }
  EXPECT_EQ(streams.size(), 10 * 4 * 4 * 300);
  EXPECT_EQ(seeds.size(), streams.size());
  EXPECT_GT(halves.size(), seeds.size() - 10);  // all 64 bits are drawn, so none is a seed as users give them

  const EnvironmentBatch one("mo-mountaincar-v0", 2, {.seed = 7});
  const EnvironmentBatch next("mo-mountaincar-v0", 2, {.seed = 8});
  EXPECT_NE(one.observations()[2], next.observations()[0]);
}

TEST(EnvironmentBatch, StartsTheStreamsThatItIsGiven) {
  const std::vector<StreamId> streams = {{.seed = 5}, {.seed = 9}};
  EnvironmentBatch batch("mo-mountaincar-v0", streams);
  const std::unique_ptr<Environment> single = make_environment("mo-mountaincar-v0");
  std::vector<double> first(2);
  std::vector<double> second(2);
  single->reset(streams[1], first);
  single->reset(second);
  EXPECT_THAT(batch.observations().last(2), testing::ElementsAreArray(first));
  batch.step(std::vector<double>{0, 2});
  batch.reset();
  EXPECT_THAT(batch.observations().last(2), testing::ElementsAreArray(second));
  EXPECT_THAT(batch.next_observations(), testing::ElementsAreArray(batch.observations()));
  batch.reset(streams);
  EXPECT_THAT(batch.observations().last(2), testing::ElementsAreArray(first));
  EXPECT_THROW(batch.reset(std::span(streams).first(1)), Error);
}

TEST(EnvironmentBatch, MovesNoCopyOnAnIllegalAction) {
  EnvironmentBatch batch("deep-sea-treasure-v0", 2, {.seed = 1});
  const Record before = batch.save();
  EXPECT_THROW(batch.step(std::vector<double>{3, 4}), Error);
  EXPECT_THROW(batch.step(std::vector<double>{3}), Error);
  EXPECT_EQ(batch.save(), before);
}

TEST(EnvironmentBatch, GoesOnFromASavedState) {
  EnvironmentBatch batch("minecart-v0", 2, {.seed = 1});
  batch.step(std::vector<double>{3, 1});
  EnvironmentBatch other("minecart-v0", 2, {.seed = 5});
  other.load(batch.save());
  EXPECT_THAT(other.observations(), testing::ElementsAreArray(batch.observations()));
  for (EnvironmentBatch* each : {&batch, &other}) each->step(std::vector<double>{0, 3});
  EXPECT_THAT(other.observations(), testing::ElementsAreArray(batch.observations()));
  EXPECT_EQ(other.save(), batch.save());
  EnvironmentBatch smaller("minecart-v0", 1, {.seed = 1});
  EXPECT_THROW(smaller.load(batch.save()), Error);
}

TEST(EnvironmentBatch, NeedsCopiesOfAKnownEnvironment) {
  EXPECT_THROW(EnvironmentBatch("minecart-v0", 0, {}), Error);
  EXPECT_THROW(EnvironmentBatch("minecart-v9", 1, {}), Error);
}

}  // namespace
}  // namespace paretofl
