#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/random.h"
#include "paretofl/optimization/kkt_residual.h"
#include "paretofl/solvers/min_norm.h"
#include "paretofl/solvers/regularized_min_norm.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

constexpr int kGramians = 10000;

// Whether some multiplier shows lambda to be optimal to within `bound`: the definition in
// kkt_residual.h, sharing no code with it, in extended precision.
bool is_optimal(const Gramian& q, const std::vector<double>& lambda, double bound) {
  long double mean_norm = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i) mean_norm += std::sqrt(static_cast<long double>(q(i, i))) * lambda[i];
  long double least = -std::numeric_limits<long double>::infinity();
  long double most = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    long double gradient = 0;
    for (std::size_t j = 0; j < lambda.size(); ++j) gradient += static_cast<long double>(q(i, j)) * lambda[j];
    const long double margin = bound * std::sqrt(static_cast<long double>(q(i, i))) * mean_norm;
    most = std::min(most, gradient + margin);
    if (lambda[i] > 0) least = std::max(least, gradient - margin);
  }
  return least <= most;
}

void expect_optimal(const Gramian& q, const WeightSolution& solution, const std::string& description) {
  double sum = 0;
  for (const double value : solution.objective_weights) {
    ASSERT_GE(value, 0) << description;
    sum += value;
  }
  ASSERT_NEAR(sum, 1, 1e-12) << description;
  ASSERT_LE(solution.kkt_residual, 1e-10) << description;
  ASSERT_TRUE(is_optimal(q, solution.objective_weights, 1e-10)) << description;
}

TEST(Kkt, MinNormSolvesRandomGramians) {
  const MinNorm solver({});
  for (int index = 0; index < kGramians; ++index) {
    const RandomGramian random = random_gramian(index);
    expect_optimal(random.gramian, solver.solve({.gramian = random.gramian}), random.description);
    if (HasFatalFailure()) return;
  }
}

TEST(Kkt, RegularizedMinNormSolvesRandomGramians) {
  for (int index = 0; index < kGramians; ++index) {
    const RandomGramian random = random_gramian(index);
    Random draws({static_cast<std::uint64_t>(index), 1, 0}, "options");
    const std::size_t objectives = random.gramian.objectives();
    RegularizedMinNorm::Options options;
    options.trace_normalization = draws.below(2) == 0;
    options.beta = draws.below(4) == 0 ? 0 : std::pow(10, draws.uniform(-8, 3));
    if (draws.below(2) == 0) {
      for (std::size_t i = 0; i < objectives; ++i) options.preference.push_back(std::pow(10, draws.uniform(-3, 3)));
    }
    Gramian q = random.gramian;
    if (options.trace_normalization) {
      const double mean = q.trace() / static_cast<double>(objectives);
      for (std::size_t i = 0; i < objectives; ++i) {
        for (std::size_t j = 0; j < objectives; ++j) q(i, j) /= mean;
      }
    }
    for (std::size_t i = 0; i < objectives; ++i) q(i, i) += options.preference.empty() ? options.beta / 2 : 1 / options.preference[i];
    expect_optimal(q, RegularizedMinNorm(options).solve({.gramian = random.gramian}), random.description);
    if (HasFatalFailure()) return;
  }
}

// With d >= 2 M the minimizer is unique, so every other lambda is wrong.
TEST(Kkt, ResidualFlagsPerturbedWeights) {
  for (int index = 0; index < 500; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 2, 0}, "perturbation");
    const std::size_t objectives = 2 + draws.below(20);
    std::vector<double> rows = normal_rows(index, objectives, 2 * objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      const double scale = std::pow(10, draws.uniform(-6, 6));
      for (std::size_t k = 0; k < 2 * objectives; ++k) rows[i * 2 * objectives + k] *= scale;
    }
    const Gramian q = gramian_of(rows, objectives);
    const std::vector<double> lambda = MinNorm({}).solve({.gramian = q}).objective_weights;
    ASSERT_LE(kkt_residual(q, lambda), 1e-12);
    for (std::size_t i = 0; i < objectives; ++i) {
      // A relative change of one weight counts by that gradient's share in the combination.
      double mean_norm = 0;
      for (std::size_t j = 0; j < objectives; ++j) mean_norm += std::sqrt(q(j, j)) * lambda[j];
      const double share = std::sqrt(q(i, i)) * lambda[i] / mean_norm;
      if (share > 1e-3 && share < 1 - 1e-3) {
        std::vector<double> perturbed = lambda;
        perturbed[i] *= 1 + 1e-3;
        for (double& value : perturbed) value /= 1 + 1e-3 * lambda[i];
        EXPECT_GE(kkt_residual(q, perturbed), 1e-9) << index << " " << i;
      }
      std::vector<double> vertex(objectives);
      vertex[i] = 1;
      if (lambda[i] < 1) {
        EXPECT_GE(kkt_residual(q, vertex), 1e-6) << index << " " << i;
      }
    }
    EXPECT_GE(kkt_residual(q, std::vector<double>(objectives, 1.0 / static_cast<double>(objectives))), 1e-6) << index;
  }
}

TEST(Kkt, ResidualIsFreeOfScale) {
  for (int index = 0; index < 200; ++index) {
    const RandomGramian random = random_gramian(index);
    const std::size_t objectives = random.gramian.objectives();
    const std::vector<double> lambda(objectives, 1.0 / static_cast<double>(objectives));
    for (const double factor : {0x1p-200, 0x1p+200}) {
      Gramian scaled = random.gramian;
      for (std::size_t i = 0; i < objectives; ++i) {
        for (std::size_t j = 0; j < objectives; ++j) scaled(i, j) *= factor;
      }
      EXPECT_EQ(kkt_residual(scaled, lambda), kkt_residual(random.gramian, lambda)) << random.description;
    }
  }
}

TEST(Kkt, ResidualOfKnownPoints) {
  const Gramian q(2, {4, 0, 0, 1});
  EXPECT_EQ(kkt_residual(q, std::vector<double>{0.2, 0.8}), 0);
  // (Q lambda) = (4, 0), s = (2, 1), S = 2: 4 / (3 * 2).
  EXPECT_DOUBLE_EQ(kkt_residual(q, std::vector<double>{1, 0}), 4.0 / 6);
  EXPECT_DOUBLE_EQ(kkt_residual(q, std::vector<double>{0.4, 1.6}), 1);  // off the simplex by 1
  EXPECT_GE(kkt_residual(q, std::vector<double>{-0.5, 1.5}), 0.5);
  EXPECT_EQ(kkt_residual(q, std::vector<double>{std::nan(""), 1}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(kkt_residual(Gramian(2), std::vector<double>{0.5, 0.5}), 0);
}

}  // namespace
}  // namespace paretofl
