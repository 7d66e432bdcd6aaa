#include "paretofl/environments/environment.h"

#include <gtest/gtest.h>

#include <array>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Action 1 truncates the episode, which has five steps at most.
class Breakable : public Environment {
 public:
  Breakable()
      : Environment({.id = "breakable",
                     .observation = ObservationSpace::unbounded(ObservationSpace::Type::kFloat64, 1),
                     .action = {.choices = 2, .low = {}, .high = {}},
                     .objective_names = {"nothing"},
                     .max_episode_steps = 5}) {}

 private:
  void start(Random) override {}
  bool advance(std::span<const double> action, std::span<double> reward) override {
    reward[0] = 0;
    if (action[0] == 1) truncate();
    return false;
  }
  void write_observation(std::span<double> observation) const override { observation[0] = static_cast<double>(steps()); }
  Record save_state() const override { return {}; }
  void load_state(const Record&) override {}
};

TEST(Environment, MayTruncateAnEpisodeBeforeItsLimit) {
  Breakable environment;
  std::array<double, 1> observation{};
  std::array<double, 1> reward{};
  const auto step = [&](double action) { return environment.step(std::span(&action, 1), observation, reward); };
  environment.reset({.seed = 1}, observation);
  EXPECT_FALSE(step(0).ended());
  const StepOutcome outcome = step(1);
  EXPECT_TRUE(outcome.truncated);
  EXPECT_FALSE(outcome.terminated);
  EXPECT_THROW(step(0), Error);
  environment.reset(observation);
  for (int i = 1; i < 5; ++i) EXPECT_FALSE(step(0).ended()) << "the next episode is not truncated, step " << i;
  EXPECT_TRUE(step(0).truncated);
}

}  // namespace
}  // namespace paretofl
