#include "paretofl/workloads/environment_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/environments/fruits.h"

namespace paretofl {
namespace {

constexpr std::size_t kDown = 1;
constexpr std::size_t kUp = 0;

/// An environment whose episodes never end.
class Endless : public Environment {
 public:
  Endless()
      : Environment({.id = "endless-v0",
                     .observation = ObservationSpace::unbounded(ObservationSpace::Type::kFloat64, 1),
                     .action = {.choices = 2, .low = {}, .high = {}},
                     .objective_names = {"one", "other"}}) {}

 private:
  void start(Random) override {}
  bool advance(std::span<const double>, std::span<double>) override { return false; }
  void write_observation(std::span<double>) const override {}
  Record save_state() const override { return {}; }
  void load_state(const Record&) override {}
};

EnvironmentWorkload treasure(std::int64_t clients = 3) {
  return {{.environment = "deep-sea-treasure-v0", .clients = clients, .preferences = {"lattice", {}}}, 1};
}

/// A model that always takes the same action: all zeros but one bias of its last layer.
std::vector<float> always(const Workload& workload, std::size_t action) {
  std::vector<float> theta(workload.layout()->size());
  const Slice& bias = workload.layout()->slices().back();
  theta[bias.range.begin + action] = 1;
  return theta;
}

TEST(EnvironmentWorkload, EvaluatesASharedModelUnderEveryPreference) {
  const EnvironmentWorkload workload = treasure();
  ThreadPool pool(1);
  const Evaluation down = workload.evaluate(always(workload, kDown), Split::kTest, pool);
  EXPECT_THAT(down.per_objective.at("return"), testing::ElementsAre(testing::DoubleNear(0.7, 1e-6), -1));
  EXPECT_NEAR(down.overall.at("scalarized_return"), 0.5 * 0.7 - 0.5, 1e-6) << "preferences (1, 0), (1/2, 1/2), (0, 1)";
  const Evaluation up = workload.evaluate(always(workload, kUp), Split::kTest, pool);
  EXPECT_THAT(up.per_objective.at("return"), testing::ElementsAre(0, -100)) << "until the step limit";
}

TEST(EnvironmentWorkload, EvaluatesEveryClientsModelUnderItsOwnPreference) {
  const EnvironmentWorkload workload = treasure();
  ClientModels models(Parameters(workload.layout(), always(workload, kDown)), 3);
  const std::vector<float> up = always(workload, kUp);
  std::copy(up.begin(), up.end(), models.of(2).begin());
  ThreadPool pool(2);
  const std::vector<Evaluation> clients = workload.evaluate_clients(models, Split::kTest, pool);
  EXPECT_NEAR(clients.at(0).overall.at("scalarized_return"), 0.7, 1e-6);
  EXPECT_NEAR(clients.at(1).overall.at("scalarized_return"), -0.15, 1e-6);
  EXPECT_NEAR(clients.at(2).overall.at("scalarized_return"), -100, 1e-6);
}

TEST(EnvironmentWorkload, HasDiscountedReturnsWhereAskedTo) {
  ThreadPool pool(1);
  const EnvironmentWorkload plain = treasure();
  EXPECT_EQ(plain.evaluate(always(plain, kUp), Split::kTest, pool).per_objective.size(), 1U);
  const EnvironmentWorkload workload(
      {.environment = "deep-sea-treasure-v0", .clients = 3, .preferences = {"lattice", {}}, .evaluation_discount = 0.9}, 1);
  const Evaluation up = workload.evaluate(always(workload, kUp), Split::kTest, pool);
  const double time = -(1 - std::pow(0.9, 100)) / (1 - 0.9);
  EXPECT_THAT(up.per_objective.at("return"), testing::ElementsAre(0, -100));
  EXPECT_THAT(up.per_objective.at("discounted_return"), testing::ElementsAre(0, testing::DoubleNear(time, 1e-9)));
  EXPECT_NEAR(up.overall.at("scalarized_discounted_return"), time / 2, 1e-9);
  const Evaluation client =
      workload.evaluate_clients(ClientModels(Parameters(workload.layout(), always(workload, kUp)), 3), Split::kTest, pool).at(2);
  EXPECT_NEAR(client.overall.at("scalarized_discounted_return"), time, 1e-9);
}

TEST(EnvironmentWorkload, PlaysTheSameEpisodesEveryTimeAndMoreThanOne) {
  const auto lander = [](std::int64_t episodes) {
    return EnvironmentWorkload({.environment = "mo-lunar-lander-v2", .clients = 2, .evaluation_episodes = episodes}, 1);
  };
  ThreadPool pool(1);
  const auto returns = [&](std::int64_t episodes) {
    const EnvironmentWorkload workload = lander(episodes);
    return workload.evaluate(always(workload, 0), Split::kTest, pool).per_objective.at("return");
  };
  EXPECT_EQ(returns(2), returns(2));
  EXPECT_NE(returns(2), returns(1)) << "another episode has another terrain";
}

TEST(EnvironmentWorkload, HasLearnersButNoGradients) {
  const EnvironmentWorkload workload = treasure();
  EXPECT_FALSE(workload.has_gradients());
  EXPECT_THAT([&] { workload.oracle(0); }, testing::ThrowsMessage<Error>(testing::HasSubstr("deep-sea-treasure-v0")));
  EXPECT_NO_THROW(workload.learner(0, {.optimizer = "adam"}));
}

TEST(EnvironmentWorkload, RejectsModelsOfAnotherSizeAndEpisodesWithoutALastStep) {
  const EnvironmentWorkload workload = treasure();
  ThreadPool pool(1);
  EXPECT_THAT([&] { workload.evaluate(std::vector<float>(3), Split::kTest, pool); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("found 3")));
  environments().add({{"endless-v0", "", "", [](OptionVisitor&) {}}, [] { return std::make_unique<Endless>(); }});
  EXPECT_THAT([] { EnvironmentWorkload({.environment = "endless-v0"}, 1); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("found endless-v0")));
}

TEST(EnvironmentWorkload, TakesEpisodesWithoutALimitThatAlwaysTerminate) {
  const EnvironmentWorkload workload({.environment = "fruit-tree-v0", .clients = 6, .preferences = {"lattice", {}}}, 1);
  ThreadPool pool(1);
  const Evaluation left = workload.evaluate(always(workload, 0), Split::kTest, pool);
  EXPECT_THAT(left.per_objective.at("return"), testing::Pointwise(testing::FloatEq(), kFruits.front())) << "always to the left";
}

}  // namespace
}  // namespace paretofl
