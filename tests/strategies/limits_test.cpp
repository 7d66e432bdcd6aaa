// Limits in which one algorithm is another, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/local/jacobian.h"
#include "paretofl/solvers/weight_solver.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

constexpr std::int64_t kAll = 8;

const Quadratics& noisy_quadratics() {
  static const Quadratics kProblem({.clients = kAll, .objectives = 3}, 7);
  return kProblem;
}

std::vector<float> trained(const Workload& workload, const std::string& name, Values values,
                           std::map<std::string, std::string> components = {}, std::uint32_t rounds = 5) {
  values.try_emplace("cohort_size", std::int64_t{4});
  return Simulation(strategy_named(name, workload, std::move(values), std::move(components)), workload).run(1, rounds);
}

TEST(Limits, FedProxWithoutItsTermIsFedAvg) {
  EXPECT_EQ(trained(noisy_quadratics(), "fedprox", {{"mu", 0.0}}), trained(noisy_quadratics(), "fedavg", {}));
}

TEST(Limits, FedProxWithItsTermIsNot) {
  EXPECT_NE(trained(noisy_quadratics(), "fedprox", {{"mu", 1.0}}), trained(noisy_quadratics(), "fedavg", {}));
}

TEST(Limits, FedCmooWithFixedWeightsIsFedAvg) {
  const Values same{{"client_lr", 0.05}, {"server_lr", 1.0}, {"reuse_gradients", false}};
  const Values fedavg{{"client_lr", 0.05}, {"client_weighting", std::string("uniform")}};
  EXPECT_EQ(trained(noisy_quadratics(), "fedcmoo", same, {{"solver", "fixed"}}), trained(noisy_quadratics(), "fedavg", fedavg));
}

TEST(Limits, SingleObjectiveIsFedAvgWithAllTheWeightOnIt) {
  const Values one_hot{{"objective_weights", std::vector<double>{0, 0, 1}}};
  EXPECT_EQ(trained(noisy_quadratics(), "single_objective", {{"objective", std::int64_t{2}}}),
            trained(noisy_quadratics(), "fedavg", one_hot));
}

TEST(Limits, OneObjectiveWithoutNoiseMakesAllMethodsTheSame) {
  const Quadratics problem({.clients = kAll, .objectives = 1, .gradient_noise = 0}, 7);
  const Values same{{"client_lr", 0.05}, {"server_lr", 1.0}};
  const std::vector<float> expected = trained(problem, "fedavg", {{"client_lr", 0.05}, {"client_weighting", std::string("uniform")}});
  EXPECT_EQ(trained(problem, "fsmgda", same), expected);
  EXPECT_EQ(trained(problem, "fedcmoo", same), expected);
}

TEST(Limits, FsmgdaOfOneLocalStepIsMgda) {
  const Quadratics problem({.clients = kAll, .objectives = 3, .heterogeneity = 0.5, .gradient_noise = 0}, 7);
  const Parameters start = problem.initial_parameters();
  const std::vector<float> jacobian = problem.exact_jacobian(start.values());  // of the clients' mean: their offsets cancel
  const auto lambda = make_solver({"min_norm", {}})->solve({.gramian = gramian_of_rows(jacobian, 3)}).objective_weights;
  const std::vector<float> direction = weighted_rows(jacobian, lambda);

  const Values values{{"cohort_size", kAll}, {"local_steps", std::int64_t{1}}, {"client_lr", 0.1}, {"server_lr", 2.0}};
  Simulation simulation(strategy_named("fsmgda", problem, values), problem);
  const std::vector<float> end = simulation.run(1, 1);
  const auto& found = std::get<std::vector<double>>(simulation.reports[0].metrics.values().at("lambda"));
  EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(1e-4), lambda));
  EXPECT_GT(std::abs(lambda[0] - lambda[1]), 0.01) << "not uniform";
  for (std::size_t j = 0; j < end.size(); ++j) EXPECT_NEAR(end[j], start.values()[j] - 0.2F * direction[j], 1e-4);
}

TEST(Limits, FsmgdaSmoothsFromUniformWeightsAfterAnAbandonedFirstRound) {
  Settings settings{.values = {{"cohort_size", std::int64_t{4}}}, .tables = {}};
  settings.tables["solver"].values = {
      {"name", std::string("regularized_min_norm")}, {"smoothing", std::string("constant")}, {"smoothing_rate", 0.0}};
  Simulation simulation(strategies().at("fsmgda").make(settings, noisy_quadratics()), noisy_quadratics());
  simulation.run(2, 2);  // no round before it
  const auto& lambda = std::get<std::vector<double>>(simulation.reports[0].metrics.values().at("lambda"));
  EXPECT_THAT(lambda, testing::Each(testing::DoubleNear(1.0 / 3, 1e-12)));
}

TEST(Limits, ReusedGradientsWithoutNoiseChangeNothingButRounding) {
  const Quadratics problem({.clients = kAll, .objectives = 3, .gradient_noise = 0}, 7);
  const auto with = trained(problem, "fedcmoo", {{"client_lr", 0.05}, {"reuse_gradients", true}});
  const auto without = trained(problem, "fedcmoo", {{"client_lr", 0.05}, {"reuse_gradients", false}});
  EXPECT_THAT(with, testing::Pointwise(testing::FloatNear(1e-5F), without));
}

TEST(Limits, AJacobianThatIsComputedAgainChangesNothing) {
  const auto workload = small_glyphs();
  const auto kept = trained(*workload, "fedcmoo", {{"client_lr", 0.05}}, {}, 2);
  EXPECT_EQ(trained(*workload, "fedcmoo", {{"client_lr", 0.05}, {"recompute_jacobian", true}}, {}, 2), kept);
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

// One step from the same gradients: a head moves by the size of its weight, whatever its sign.
TEST(Limits, HeadsUnderANegativeWeightDescendAllTheSame) {
  const auto workload = small_glyphs();
  const auto run = [&](Settings solver, const Values& more, std::uint64_t seed) {
    Settings settings;
    settings.values = {{"cohort_size", std::int64_t{4}}, {"local_steps", std::int64_t{1}}, {"client_lr", 0.1}};
    settings.values.insert(more.begin(), more.end());
    settings.tables["solver"] = std::move(solver);
    Simulation simulation(strategies().at("fedcmoo").make(settings, *workload), *workload, {.seed = seed});
    const std::vector<float> theta = simulation.run(1, 1);
    return std::pair(theta, std::get<std::vector<double>>(simulation.reports[0].metrics.values().at("lambda")));
  };
  const auto signed_run = [&](std::uint64_t seed) {
    return run({.values = {{"name", std::string("config")}}, .tables = {}}, {{"preference", std::vector<double>{1, 1000}}}, seed);
  };
  // Cosines of 1 to 1000 take a negative weight where the gradients are less than perpendicular, as with some seeds.
  std::uint64_t seed = 1;
  while (seed < 50 && signed_run(seed).second[0] >= 0) ++seed;
  const auto [signed_end, lambda] = signed_run(seed);
  ASSERT_LT(lambda[0], 0);
  const std::vector<double> sizes = {-lambda[0], lambda[1]};
  const auto [end, same] = run({.values = {{"name", std::string("fixed")}, {"objective_weights", sizes}}, .tables = {}}, {}, seed);
  const Layout& layout = *workload->layout();
  for (const int k : {0, 1}) {
    for (std::size_t i = layout.head(k).begin; i < layout.head(k).end; ++i) ASSERT_NEAR(signed_end[i], end[i], 1e-6) << i;
  }
  EXPECT_NE(signed_end[layout.shared().begin], end[layout.shared().begin]);
}

TEST(Limits, AZeroServerRateChangesNothing) {
  const Parameters start = noisy_quadratics().initial_parameters();
  for (const char* name : {"fsmgda", "fedcmoo"}) {
    EXPECT_THAT(trained(noisy_quadratics(), name, {{"server_lr", 0.0}}), testing::ElementsAreArray(start.values())) << name;
  }
}

}  // namespace
}  // namespace paretofl
