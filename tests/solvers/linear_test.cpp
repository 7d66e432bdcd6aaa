#include "paretofl/solvers/linear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

const Gramian kGramian(2, {1, 0, 0, 9});
const std::vector<double> kLosses = {1, 4};
const std::vector<double> kPreference = {1, 3};

std::vector<double> solve_linear(const std::string& scale, const WeightProblem& problem) {
  return Linear({.scale = scale}).solve(problem).objective_weights;
}

TEST(Linear, GoldenValues) {
  EXPECT_THAT(solve_linear("none", {.gramian = kGramian}), ElementsAre(0.5, 0.5));
  EXPECT_THAT(solve_linear("none", {.gramian = kGramian, .preference = kPreference}), ElementsAre(0.25, 0.75));
  EXPECT_THAT(solve_linear("losses", {.gramian = kGramian, .losses = kLosses}),
              ElementsAre(DoubleNear(0.8, 1e-15), DoubleNear(0.2, 1e-15)));
  EXPECT_THAT(solve_linear("losses", {.gramian = kGramian, .losses = kLosses, .preference = kPreference}),
              ElementsAre(DoubleNear(4.0 / 7, 1e-15), DoubleNear(3.0 / 7, 1e-15)));
  EXPECT_THAT(solve_linear("gradients", {.gramian = kGramian}), ElementsAre(DoubleNear(0.75, 1e-15), DoubleNear(0.25, 1e-15)));
  EXPECT_THAT(solve_linear("gradients", {.gramian = Gramian(2, {0, 0, 0, 9})}), ElementsAre(0, 1));
}

TEST(Linear, RejectsWhatDoesNotFit) {
  EXPECT_THROW(solve_linear("losses", {.gramian = kGramian}), Error);
  const std::vector<double> zero = {0, 1};
  EXPECT_THROW(solve_linear("losses", {.gramian = kGramian, .losses = zero}), Error);
}

}  // namespace
}  // namespace paretofl
