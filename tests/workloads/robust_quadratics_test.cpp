#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/runs/config.h"
#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

constexpr double kRobustness = 0.5;

QuadraticsOptions ensemble(double robustness) {
  return {.clients = 4, .dimension = 6, .heterogeneity = 0.3, .gradient_noise = 0, .robustness = robustness};
}

std::vector<float> point(const Quadratics& problem) {
  const Parameters start = problem.initial_parameters();
  return {start.values().begin(), start.values().end()};
}

std::vector<double> losses_at(const Quadratics& problem, const std::vector<float>& theta) {
  ThreadPool pool(1);
  return problem.evaluate(theta, Split::kTest, pool).per_objective.at("loss");
}

/// Mean over the clients of their losses and jacobians.
std::pair<std::vector<double>, std::vector<double>> mean_over_clients(const Quadratics& problem, const std::vector<float>& theta) {
  const std::size_t objectives = problem.num_objectives();
  std::vector<double> losses(objectives), jacobian(objectives * theta.size());
  for (int client = 0; client < problem.num_clients(); ++client) {
    std::vector<double> own(objectives);
    std::vector<float> rows(jacobian.size());
    problem.oracle(client)->jacobian(theta, {Random({1, 0, 0}, "test"), 0}, own, rows);
    for (std::size_t k = 0; k < objectives; ++k) losses[k] += own[k] / problem.num_clients();
    for (std::size_t i = 0; i < rows.size(); ++i) jacobian[i] += static_cast<double>(rows[i]) / problem.num_clients();
  }
  return {losses, jacobian};
}

TEST(RobustQuadratics, AClientsLossesAreLogarithmsOfItsQuadratics) {
  const Quadratics plain(ensemble(0), 7), robust(ensemble(kRobustness), 7);
  const std::vector<float> theta = point(plain);
  std::vector<double> quadratics(2), losses(2);
  std::vector<float> plain_rows(12), rows(12);
  const Draw draw{Random({1, 0, 0}, "test"), 0};
  plain.oracle(1)->jacobian(theta, draw, quadratics, plain_rows);
  robust.oracle(1)->jacobian(theta, draw, losses, rows);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_DOUBLE_EQ(losses[k], std::log(1 + kRobustness * quadratics[k]) / kRobustness);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(rows[6 * k + j], plain_rows[6 * k + j] / (1 + kRobustness * quadratics[k]), 1e-6);
  }
}

TEST(RobustQuadratics, EvaluationIsTheMeanOverTheClients) {
  const Quadratics problem(ensemble(kRobustness), 7);
  const std::vector<float> theta = point(problem);
  const auto [losses, jacobian] = mean_over_clients(problem, theta);
  const std::vector<double> evaluated = losses_at(problem, theta);
  const std::vector<float> exact = problem.exact_jacobian(theta);
  for (std::size_t k = 0; k < losses.size(); ++k) EXPECT_NEAR(evaluated[k], losses[k], 1e-12);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(exact[i], jacobian[i], 1e-6);
}

TEST(RobustQuadratics, TheExactJacobianIsTheLossesDerivative) {
  const Quadratics problem(ensemble(kRobustness), 3);
  std::vector<float> theta = point(problem);
  const std::vector<float> exact = problem.exact_jacobian(theta);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const float middle = theta[j], step = 1.0F / 64;
    theta[j] = middle + step;
    const std::vector<double> above = losses_at(problem, theta);
    theta[j] = middle - step;
    const std::vector<double> below = losses_at(problem, theta);
    theta[j] = middle;
    for (std::size_t k = 0; k < above.size(); ++k) EXPECT_NEAR((above[k] - below[k]) / (2 * step), exact[k * theta.size() + j], 1e-3);
  }
}

/// F_1 / F_2 at the minima of weighted sums along the Pareto set of the quadratics, for nine weights.
std::vector<double> ratios_at_minima(const Quadratics& problem) {
  std::vector<std::vector<double>> front;
  for (int t = 0; t <= 200; ++t) {
    const std::vector<double> x = problem.pareto_point(std::vector<double>{t / 200.0, 1 - t / 200.0});
    front.push_back(losses_at(problem, {x.begin(), x.end()}));
  }
  std::vector<double> ratios;
  for (int w = 1; w < 10; ++w) {
    const auto sum = [&](const std::vector<double>& losses) { return w / 10.0 * losses[0] + (1 - w / 10.0) * losses[1]; };
    const auto least = std::min_element(front.begin(), front.end(), [&](const auto& a, const auto& b) { return sum(a) < sum(b); });
    ratios.push_back((*least)[0] / (*least)[1]);
  }
  return ratios;
}

TEST(RobustQuadratics, WeightedSumsMissTheMiddleOfTheFront) {
  const auto in_the_middle = [](double ratio) { return ratio > 0.6 && ratio < 1 / 0.6; };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto robust = workloads().at("robust_quadratics").make({}, {.seed = seed, .data_root = {}});
    for (const double ratio : ratios_at_minima(dynamic_cast<const Quadratics&>(*robust))) EXPECT_FALSE(in_the_middle(ratio)) << seed;
    const std::vector<double> plain = ratios_at_minima(Quadratics({}, seed));
    EXPECT_TRUE(std::any_of(plain.begin(), plain.end(), in_the_middle)) << seed;
  }
}

TEST(Workloads, SayWhetherTheSeedChangesTheProblemAndWhichFiguresShareAUnit) {
  const auto make = [](const char* name, const char* config = "") {
    return workloads().at(name).make(parse_config(config, "test"), {.seed = 1, .data_root = {}});
  };
  EXPECT_TRUE(make("quadratics")->seed_changes_problem());
  EXPECT_TRUE(make("quadratics")->shares_unit("loss"));
  EXPECT_FALSE(make("deep_sea_treasure")->seed_changes_problem());
  EXPECT_FALSE(make("deep_sea_treasure")->shares_unit("return"));
  const std::string small = "train_images = 200\ntest_images = 10\nclients = 2\nsamples_per_client = 50\n";
  EXPECT_TRUE(make("glyphs", small.c_str())->seed_changes_problem());
  EXPECT_TRUE(make("glyphs", small.c_str())->shares_unit("loss"));
  EXPECT_FALSE(make("glyphs", (small + "losses = \"l2_first\"\n").c_str())->shares_unit("loss")) << "a squared error and a likelihood";
  EXPECT_TRUE(make("glyphs", (small + "losses = \"l2_first\"\n").c_str())->shares_unit("accuracy"));
}

}  // namespace
}  // namespace paretofl
