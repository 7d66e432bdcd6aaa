#include "paretofl/agents/scalarized_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

constexpr double kUp = 0;
constexpr double kDown = 1;

class Diver : public testing::Test {
 protected:
  Diver() { environment_.begin({1, 7, 0}); }

  void act(double action) { environment_.step({&action, 1}, {&action, 1}); }

  TransitionBatch kept() const {
    std::vector<std::size_t> places(environment_.buffer().size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    TransitionBatch batch;
    environment_.buffer().take(places, batch);
    return batch;
  }

  ScalarizedEnvironment environment_{"deep-sea-treasure-v0", Preference({0.75, 0.25}, 2), 1000};
};

TEST_F(Diver, KeepsScalarizedRewardsAndTheEpisodesOwnEnd) {
  act(kUp);
  act(kDown);
  const TransitionBatch batch = kept();
  EXPECT_THAT(batch.rewards, ElementsAre(-0.25F, testing::FloatEq(0.75F * 0.7F - 0.25F)));
  EXPECT_THAT(batch.next_observations, ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(batch.continues, ElementsAre(1, 0));
  EXPECT_THAT(environment_.observation(), ElementsAre(0, 0)) << "the next episode has begun";
}

TEST_F(Diver, AnEpisodeThatIsOnlyCutOffGoesOn) {
  for (int i = 0; i < 101; ++i) act(kUp);
  EXPECT_THAT(kept().continues, testing::Each(1.0F)) << "step 100 is the limit, and no end of the environment's own";
}

TEST(ScalarizedEnvironment, GoesOnWithTheNextEpisodeAfterOneThatFails) {
  ScalarizedEnvironment cheetah("mo-halfcheetah-v4", Preference({0.5, 0.5}, 2), 1000);
  cheetah.begin({1, 7, 0});
  Record state = cheetah.save();
  Array& velocities = state.records.at("environment").records.at("state").arrays.at("qvel");
  velocities = Array(std::span<const double>(std::vector<double>(velocities.doubles().size(), 1e9)));
  cheetah.load(state);
  const std::vector<double> still(6);
  const auto act = [&](int steps) {
    for (int i = 0; i < steps; ++i) cheetah.step(still, still);
  };
  EXPECT_THAT([&] { act(100); }, testing::ThrowsMessage<Error>(testing::HasSubstr("found one that diverges")));
  const std::size_t kept = cheetah.buffer().size();
  EXPECT_NO_THROW(act(10));
  EXPECT_EQ(cheetah.buffer().size(), kept + 10);
  EXPECT_THAT(cheetah.observation(), testing::Each(testing::AllOf(testing::Gt(-100), testing::Lt(100))));
}

}  // namespace
}  // namespace paretofl
