#include "paretofl/solvers/regularized_min_norm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/solvers/min_norm.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using RegularizedOptions = RegularizedMinNorm::Options;

std::vector<double> solve_regularized(const Gramian& gramian, RegularizedOptions options) {
  return RegularizedMinNorm(std::move(options)).solve({.gramian = gramian}).objective_weights;
}

Gramian independent_rows(std::uint64_t index, std::size_t objectives) {
  return gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
}

Gramian scaled(const Gramian& gramian, double factor) {
  Gramian result = gramian;
  for (std::size_t i = 0; i < gramian.objectives(); ++i) {
    for (std::size_t j = 0; j < gramian.objectives(); ++j) result(i, j) *= factor;
  }
  return result;
}

TEST(RegularizedMinNorm, GoldenValues) {
  const Gramian gramian(2, {1, 0, 0, 3});
  // G_hat = diag(1/2, 3/2), so with beta = 1 diag(1, 2).
  EXPECT_THAT(solve_regularized(gramian, {.beta = 1}), ElementsAre(DoubleNear(2.0 / 3, 1e-15), DoubleNear(1.0 / 3, 1e-15)));
  // diag(1 + 1/2, 3 + 1/2).
  EXPECT_THAT(solve_regularized(gramian, {.trace_normalization = false, .beta = 1}),
              ElementsAre(DoubleNear(0.7, 1e-15), DoubleNear(0.3, 1e-15)));
  // diag(1/2 + 1, 3/2 + 1/2).
  EXPECT_THAT(solve_regularized(gramian, {.preference = {1, 2}}), ElementsAre(DoubleNear(4.0 / 7, 1e-15), DoubleNear(3.0 / 7, 1e-15)));
}

TEST(RegularizedMinNorm, WithoutRegularizerIsMinNorm) {
  for (int index = 0; index < 300; ++index) {
    const Gramian gramian = independent_rows(index, 2 + index % 20);
    const std::vector<double> expected = MinNorm({}).solve({.gramian = gramian}).objective_weights;
    EXPECT_EQ(solve_regularized(gramian, {.trace_normalization = false, .beta = 0}), expected);
    EXPECT_THAT(solve_regularized(gramian, {.beta = 0}), Pointwise(DoubleNear(1e-11), expected));
  }
}

TEST(RegularizedMinNorm, AnInfinitelyStrongRegularizerIsUniform) {
  for (int index = 0; index < 100; ++index) {
    const std::size_t objectives = 2 + index % 20;
    EXPECT_THAT(solve_regularized(independent_rows(index, objectives), {.beta = 1e14}),
                ::testing::Each(DoubleNear(1.0 / static_cast<double>(objectives), 1e-12)));
  }
}

TEST(RegularizedMinNorm, TraceNormalizationRemovesTheScale) {
  for (int index = 0; index < 300; ++index) {
    const Gramian gramian = independent_rows(index, 2 + index % 20);
    const std::vector<double> expected = solve_regularized(gramian, {.beta = 0.05});
    EXPECT_THAT(solve_regularized(scaled(gramian, 7e-13), {.beta = 0.05}), Pointwise(DoubleNear(1e-12), expected));
    EXPECT_EQ(solve_regularized(scaled(gramian, 0x1p+40), {.beta = 0.05}), expected);
  }
  const Gramian gramian(2, {1, 0, 0, 3});
  EXPECT_NE(solve_regularized(gramian, {.trace_normalization = false, .beta = 1}),
            solve_regularized(scaled(gramian, 2), {.trace_normalization = false, .beta = 1}));
}

TEST(RegularizedMinNorm, WeightsGrowWithTheirPreference) {
  int grown = 0;
  for (int index = 0; index < 500; ++index) {
    Random random({static_cast<std::uint64_t>(index), 0, 0}, "preference");
    const std::size_t objectives = 2 + random.below(10);
    const Gramian gramian = gramian_of(normal_rows(index, objectives, 1 + random.below(2 * objectives)), objectives);
    RegularizedOptions options;
    for (std::size_t i = 0; i < objectives; ++i) options.preference.push_back(random.uniform(0.1, 10));
    const std::size_t raised = random.below(objectives);
    const double first = solve_regularized(gramian, options)[raised];
    double before = 0;
    for (int step = 0; step < 6; ++step) {
      const double weight = solve_regularized(gramian, options)[raised];
      EXPECT_GE(weight, before - 1e-12);
      before = weight;
      options.preference[raised] *= 3;
    }
    grown += before > first + 0.01 ? 1 : 0;
  }
  EXPECT_GE(grown, 250);
}

TEST(RegularizedMinNorm, ThePreferenceMayComeFromTheProblem) {
  const Gramian gramian = independent_rows(3, 3);
  const std::vector<double> preference = {1, 2, 5};
  const RegularizedMinNorm from_problem{RegularizedOptions{}};
  const RegularizedMinNorm from_options(RegularizedOptions{.preference = preference});
  EXPECT_EQ(from_problem.solve({.gramian = gramian, .preference = preference}).objective_weights,
            from_options.solve({.gramian = gramian}).objective_weights);
  EXPECT_THROW(from_options.solve({.gramian = gramian, .preference = preference}), Error);
  EXPECT_THROW(RegularizedMinNorm(RegularizedOptions{.preference = {1, 0, 1}}), Error);
  EXPECT_THROW(RegularizedMinNorm(RegularizedOptions{.preference = {1, 2}}).solve({.gramian = gramian}), Error);
}

// FIRM, Lemma 8: two clients' weights differ by at most 4 R M / beta times their gradients' largest
// difference, R bounding every gradient norm.
TEST(RegularizedMinNorm, NearGradientsGiveNearWeights) {
  double tightest = 0;
  for (int index = 0; index < 1000; ++index) {
    Random random({static_cast<std::uint64_t>(index), 0, 0}, "clients");
    const std::size_t objectives = 2 + random.below(10);
    const std::size_t columns = 1 + random.below(20);
    const std::vector<double> first = normal_rows(index, objectives, columns);
    std::vector<double> second = first;
    const double noise = std::pow(10, random.uniform(-4, 0));
    for (double& value : second) value += noise * random.normal();
    double bound = 0;
    double difference = 0;
    for (std::size_t i = 0; i < objectives; ++i) {
      double squares[3] = {};
      for (std::size_t k = i * columns; k < (i + 1) * columns; ++k) {
        squares[0] += first[k] * first[k];
        squares[1] += second[k] * second[k];
        squares[2] += (first[k] - second[k]) * (first[k] - second[k]);
      }
      bound = std::max({bound, std::sqrt(squares[0]), std::sqrt(squares[1])});
      difference = std::max(difference, std::sqrt(squares[2]));
    }
    const double beta = std::pow(10, random.uniform(-2, 2));
    const RegularizedOptions options = {.trace_normalization = false, .beta = beta};
    const std::vector<double> left = solve_regularized(gramian_of(first, objectives), options);
    const std::vector<double> right = solve_regularized(gramian_of(second, objectives), options);
    double distance = 0;
    for (std::size_t i = 0; i < objectives; ++i) distance += (left[i] - right[i]) * (left[i] - right[i]);
    const double ratio = std::sqrt(distance) / (4 * bound * static_cast<double>(objectives) / beta * difference);
    EXPECT_LE(ratio, 1);
    tightest = std::max(tightest, ratio);
  }
  EXPECT_GT(tightest, 1e-3);  // the bound is not met for nothing
}

TEST(RegularizedMinNorm, AllGradientsZero) {
  const Gramian zero(4);
  EXPECT_THAT(solve_regularized(zero, {}), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(solve_regularized(zero, {.beta = 0}), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(solve_regularized(zero, {.trace_normalization = false, .beta = 0}), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(solve_regularized(zero, {.preference = {1, 2, 3, 4}}), ElementsAre(0.25, 0.25, 0.25, 0.25));
}

TEST(RegularizedMinNorm, Smoothing) {
  const Gramian gramian(2, {1, 0, 0, 3});  // lambda* = (2/3, 1/3)
  const std::vector<double> previous = {0, 1};
  const auto first_weight = [&](const std::string& smoothing, std::span<const double> before, std::int64_t step) {
    const RegularizedOptions options = {.beta = 1, .smoothing = smoothing, .smoothing_rate = 0.3};
    return RegularizedMinNorm(options).solve({.gramian = gramian, .previous = before, .step = step}).objective_weights[0];
  };
  EXPECT_DOUBLE_EQ(first_weight("off", previous, 3), 2.0 / 3);
  EXPECT_DOUBLE_EQ(first_weight("constant", previous, 3), 0.2);
  EXPECT_DOUBLE_EQ(first_weight("harmonic", previous, 1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(first_weight("harmonic", previous, 4), 1.0 / 6);
  EXPECT_DOUBLE_EQ(first_weight("constant", {}, 1), 2.0 / 3);
  EXPECT_THROW(first_weight("constant", {}, 2), Error);
  EXPECT_THROW(first_weight("harmonic", {}, 2), Error);
}

TEST(RegularizedMinNorm, SaysWhatItsOptionsRead) {
  EXPECT_FALSE(RegularizedMinNorm({}).reads_previous());
  EXPECT_TRUE(RegularizedMinNorm({.smoothing = "harmonic"}).reads_previous());
  EXPECT_FALSE(RegularizedMinNorm({}).reads_scale());
  EXPECT_TRUE(RegularizedMinNorm({.trace_normalization = false}).reads_scale());
}

}  // namespace
}  // namespace paretofl
