// Limits in which one algorithm is another, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

constexpr std::int64_t kAll = 8;

const Quadratics& noisy() {
  static const Quadratics kProblem({.clients = kAll, .objectives = 3}, 7);
  return kProblem;
}

std::vector<float> trained(const Workload& workload, const std::string& name, Values values,
                           std::map<std::string, std::string> components = {}, std::uint32_t rounds = 5) {
  values.try_emplace("cohort_size", std::int64_t{4});
  return Simulation(strategy_named(name, workload, std::move(values), std::move(components)), workload).run(1, rounds);
}

TEST(Limits, FedProxWithoutItsTermIsFedAvg) { EXPECT_EQ(trained(noisy(), "fedprox", {{"mu", 0.0}}), trained(noisy(), "fedavg", {})); }

TEST(Limits, FedProxWithItsTermIsNot) { EXPECT_NE(trained(noisy(), "fedprox", {{"mu", 1.0}}), trained(noisy(), "fedavg", {})); }

TEST(Limits, FedCmooWithFixedWeightsIsFedAvg) {
  const Values same{{"client_lr", 0.05}, {"server_lr", 1.0}, {"reuse_gradients", false}};
  const Values fedavg{{"client_lr", 0.05}, {"client_weighting", std::string("uniform")}};
  EXPECT_EQ(trained(noisy(), "fedcmoo", same, {{"solver", "fixed"}}), trained(noisy(), "fedavg", fedavg));
}

TEST(Limits, SingleObjectiveIsFedAvgWithAllTheWeightOnIt) {
  const Values one_hot{{"objective_weights", std::vector<double>{0, 0, 1}}};
  EXPECT_EQ(trained(noisy(), "single_objective", {{"objective", std::int64_t{2}}}), trained(noisy(), "fedavg", one_hot));
}

TEST(Limits, OneObjectiveWithoutNoiseMakesAllMethodsTheSame) {
  const Quadratics problem({.clients = kAll, .objectives = 1, .gradient_noise = 0}, 7);
  const Values same{{"client_lr", 0.05}, {"server_lr", 1.0}};
  const std::vector<float> expected = trained(problem, "fedavg", {{"client_lr", 0.05}, {"client_weighting", std::string("uniform")}});
  EXPECT_EQ(trained(problem, "fsmgda", same), expected);
  EXPECT_EQ(trained(problem, "fedcmoo", same), expected);
}

TEST(Limits, ReusedGradientsWithoutNoiseChangeNothingButRounding) {
  const Quadratics problem({.clients = kAll, .objectives = 3, .gradient_noise = 0}, 7);
  const auto with = trained(problem, "fedcmoo", {{"client_lr", 0.05}, {"reuse_gradients", true}});
  const auto without = trained(problem, "fedcmoo", {{"client_lr", 0.05}, {"reuse_gradients", false}});
  EXPECT_THAT(with, testing::Pointwise(testing::FloatNear(1e-5F), without));
}

TEST(Limits, SingleObjectiveLeavesTheOtherHeadAlone) {
  const auto workload = small_glyphs();
  const Parameters start = workload->initial_parameters();
  const std::vector<float> end = trained(*workload, "single_objective", {{"objective", std::int64_t{0}}}, {}, 2);
  const Range own = start.layout().head(0);
  const Range other = start.layout().head(1);
  ASSERT_GT(other.size(), 0U);
  EXPECT_NE(end[own.begin], start.values()[own.begin]);
  for (std::size_t i = other.begin; i < other.end; ++i) ASSERT_EQ(end[i], start.values()[i]) << i;
}

TEST(Limits, AZeroServerRateChangesNothing) {
  const Parameters start = noisy().initial_parameters();
  for (const char* name : {"fsmgda", "fedcmoo"}) {
    EXPECT_THAT(trained(noisy(), name, {{"server_lr", 0.0}}), testing::ElementsAreArray(start.values())) << name;
  }
}

}  // namespace
}  // namespace paretofl
