// The solvers made for stochastic gradients: moco, modo, famo and cr_mogm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/optimization/cross_products.h"
#include "paretofl/solvers/cr_mogm.h"
#include "paretofl/solvers/famo.h"
#include "paretofl/solvers/min_norm.h"
#include "paretofl/solvers/moco.h"
#include "paretofl/solvers/modo.h"
#include "paretofl/solvers/projected_gradient.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using ::testing::ThrowsMessage;

std::vector<double> simplex_point(std::uint64_t index, std::size_t objectives) {
  return Random({index, 1, 0}, "weights").dirichlet(std::vector<double>(objectives, 1.0));
}

TEST(MoCo, GoldenValues) {
  const Gramian gramian(2, {1, 0, 0, 3});
  // (1/2 - 0.1 (1/2 + 0.1), 1/2 - 0.1 (3/2 + 0.1)), then up by 0.11 each.
  EXPECT_THAT(MoCo({.gamma = 0.1, .rho = 0.2}).solve({.gramian = gramian}).objective_weights,
              ElementsAre(DoubleNear(0.55, 1e-15), DoubleNear(0.45, 1e-15)));
}

TEST(MoCo, WithoutARegularizerIsTheProjectedStepOnTheGradients) {
  for (int index = 0; index < 50; ++index) {
    const std::size_t objectives = 2 + index % 6;
    const Gramian gramian = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    const std::vector<double> previous = simplex_point(index, objectives);
    const WeightProblem problem{.gramian = gramian, .previous = previous};
    EXPECT_THAT(
        MoCo({.gamma = 0.01, .rho = 0}).solve(problem).objective_weights,
        Pointwise(DoubleNear(1e-12), ProjectedGradient({.beta = 0.01, .steps = 1, .normalize = false}).solve(problem).objective_weights));
  }
}

TEST(MoCo, ManyStepsSolveTheRegularizedProblem) {
  const Gramian gramian = gramian_of(normal_rows(3, 4, 8), 4);
  Gramian regularized = gramian;
  for (std::size_t k = 0; k < 4; ++k) regularized(k, k) += 0.5;
  std::vector<double> lambda;
  for (int step = 0; step < 20000; ++step)
    lambda = MoCo({.gamma = 0.01, .rho = 0.5}).solve({.gramian = gramian, .previous = lambda}).objective_weights;
  EXPECT_THAT(lambda, Pointwise(DoubleNear(1e-6), MinNorm({}).solve({.gramian = regularized}).objective_weights));
}

TEST(MoDo, GoldenValues) {
  const Gramian gramian(2, {1, 0, 0, 3});
  const std::vector<double> products = {1, 2, 0, 3};  // not symmetric: J_1 J_2^T (1/2, 1/2) = (3/2, 3/2)
  EXPECT_THAT(MoDo({.gamma = 0.1}).solve({.gramian = gramian, .two_sample_products = products}).objective_weights,
              ElementsAre(DoubleNear(0.5, 1e-15), DoubleNear(0.5, 1e-15)));
  const std::vector<double> first = {1, 0};  // J_1 J_2^T (1, 0) = (1, 0)
  const std::vector<double> lambda =
      MoDo({.gamma = 0.1}).solve({.gramian = gramian, .previous = first, .two_sample_products = products}).objective_weights;
  EXPECT_THAT(lambda, ElementsAre(DoubleNear(0.95, 1e-15), DoubleNear(0.05, 1e-15)));
}

TEST(MoDo, OnExactGradientsIsTheProjectedStep) {
  for (int index = 0; index < 50; ++index) {
    const std::size_t objectives = 2 + index % 6;
    const Gramian gramian = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    const std::vector<double> previous = simplex_point(index, objectives);
    const WeightProblem exact{.gramian = gramian, .previous = previous, .two_sample_products = gramian.values()};
    const std::vector<double> lambda = MoDo({.gamma = 0.01}).solve(exact).objective_weights;
    EXPECT_EQ(lambda, MoDo({.gamma = 0.01}).solve({.gramian = gramian, .previous = previous}).objective_weights);
    EXPECT_THAT(lambda, Pointwise(DoubleNear(1e-12), ProjectedGradient({.beta = 0.01, .steps = 1, .normalize = false})
                                                         .solve({.gramian = gramian, .previous = previous})
                                                         .objective_weights));
  }
}

// A step that stays inside the simplex is linear in the products, so its mean is the step of the exact Gramian. The step on the Gramian of
// one sample is not: noise adds to its diagonal.
TEST(MoDo, ItsMeanStepOverTheSamplesIsThatOfTheExactGradients) {
  const std::vector<float> exact = {1, 0, 0, 0.5F, 0.5F, 0};
  Random random({1, 0, 0}, "samples");
  // The second objective's gradient has ten times the noise.
  const auto sampled = [&] {
    std::vector<float> rows = exact;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += static_cast<float>((i < 3 ? 0.1 : 1.0) * random.normal());
    return rows;
  };
  const std::vector<double> previous = {0.5, 0.5};
  double two = 0;
  double one = 0;
  constexpr int kSamples = 20000;
  for (int i = 0; i < kSamples; ++i) {
    const std::vector<float> first = sampled();
    const std::vector<double> products = cross_products(first, sampled(), 2);
    const Gramian own = gramian_of_rows(first, 2);
    const WeightProblem problem{.gramian = own, .previous = previous, .two_sample_products = products};
    two += MoDo({.gamma = 0.01}).solve(problem).objective_weights[0] / kSamples;
    one += MoCo({.gamma = 0.01, .rho = 0}).solve(problem).objective_weights[0] / kSamples;
  }
  const Gramian gramian = gramian_of_rows(exact, 2);
  const double expected = MoDo({.gamma = 0.01}).solve({.gramian = gramian, .previous = previous}).objective_weights[0];
  EXPECT_NEAR(two, expected, 3e-4);
  EXPECT_GT(one, expected + 5e-3);
}

TEST(Famo, TheFirstStepDividesByTheLosses) {
  const Gramian gramian(2, {1, 0, 0, 3});
  const std::vector<double> losses = {1, 4};
  EXPECT_THAT(Famo({}).solve({.gramian = gramian, .losses = losses}).objective_weights,
              ElementsAre(DoubleNear(0.8, 1e-15), DoubleNear(0.2, 1e-15)));
}

// Algorithm 1 by hand for two objectives: xi is kept here, and taken from lambda and the losses by the solver.
TEST(Famo, FollowsTheLogitsOfItsAlgorithm) {
  const Gramian gramian(2, {1, 0, 0, 3});
  const std::vector<std::vector<double>> losses = {{1, 4}, {0.5, 3.9}, {0.4, 4.2}, {0.45, 2}};
  const double beta = 0.5;
  const double gamma = 0.1;
  double xi0 = 0;
  double xi1 = 0;
  std::vector<double> lambda = {0.5, 0.5};
  for (std::size_t t = 0; t < losses.size(); ++t) {
    std::vector<double> before;
    if (t > 0) {
      before = losses[t - 1];
      const double z0 = 1 / (1 + std::exp(xi1 - xi0));
      // J(z) = z0 z1 [[1, -1], [-1, 1]].
      const double delta = z0 * (1 - z0) * (std::log(before[0] / losses[t][0]) - std::log(before[1] / losses[t][1]));
      xi0 -= beta * (delta + gamma * xi0);
      xi1 -= beta * (-delta + gamma * xi1);
    }
    const double z0 = 1 / (1 + std::exp(xi1 - xi0));
    const double first = z0 / losses[t][0];
    const double second = (1 - z0) / losses[t][1];
    lambda = Famo({.beta = beta, .gamma = gamma})
                 .solve({.gramian = gramian, .losses = losses[t], .previous = lambda, .previous_losses = before})
                 .objective_weights;
    EXPECT_THAT(lambda, ElementsAre(DoubleNear(first / (first + second), 1e-14), DoubleNear(second / (first + second), 1e-14))) << t;
  }
}

TEST(Famo, AnObjectiveThatFallsFasterLosesWeight) {
  const Gramian gramian(2);
  const std::vector<double> before = {2, 2};
  const std::vector<double> after = {1, 1.5};
  const std::vector<double> half = {0.5, 0.5};
  const WeightProblem problem{.gramian = gramian, .losses = after, .previous = half, .previous_losses = before};
  const std::vector<double> lambda = Famo({.beta = 1}).solve(problem).objective_weights;
  const double z0 = lambda[0] * after[0] / (lambda[0] * after[0] + lambda[1] * after[1]);
  EXPECT_LT(z0, 0.49);
}

TEST(Famo, NeedsPositiveLosses) {
  const Gramian gramian(2);
  const std::vector<double> zero = {1, 0};
  const std::vector<double> good = {1, 1};
  EXPECT_THAT([&] { Famo({}).solve({.gramian = gramian}); }, ThrowsMessage<Error>(HasSubstr("expected the losses, found none")));
  EXPECT_THAT([&] { Famo({}).solve({.gramian = gramian, .losses = zero}); }, ThrowsMessage<Error>(HasSubstr("positive losses")));
  EXPECT_THAT([&] { Famo({}).solve({.gramian = gramian, .losses = good, .previous_losses = good}); },
              ThrowsMessage<Error>(HasSubstr("expected the previous weights")));
}

TEST(CrMogm, SmoothsTheWeightsOfAnotherSolver) {
  for (int index = 0; index < 30; ++index) {
    const std::size_t objectives = 2 + index % 6;
    const Gramian gramian = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    const std::vector<double> previous = simplex_point(index, objectives);
    const WeightProblem problem{.gramian = gramian, .previous = previous};
    const std::vector<double> inner = MinNorm({}).solve(problem).objective_weights;
    EXPECT_EQ(CrMogm({.alpha = 0}).solve(problem).objective_weights, inner);
    EXPECT_THAT(CrMogm({.alpha = 1}).solve(problem).objective_weights, Pointwise(DoubleNear(1e-15), previous));
    EXPECT_THAT(CrMogm({.alpha = 1 - 1e-9}).solve(problem).objective_weights, Pointwise(DoubleNear(2e-9), previous));
    std::vector<double> between(objectives);
    for (std::size_t k = 0; k < objectives; ++k) between[k] = 0.7 * previous[k] + 0.3 * inner[k];
    EXPECT_THAT(CrMogm({.alpha = 0.7}).solve(problem).objective_weights, Pointwise(DoubleNear(1e-14), between));
    EXPECT_EQ(CrMogm({.alpha = 0.7}).solve({.gramian = gramian}).objective_weights, inner) << "without previous weights";
  }
}

TEST(CrMogm, RefusesASolverThatReadsItsStateFromThePreviousWeights) {
  EXPECT_THAT([] { CrMogm({.solver = {"famo", {}}}); }, ThrowsMessage<Error>(HasSubstr("cr_mogm: expected a solver")));
}

}  // namespace
}  // namespace paretofl
