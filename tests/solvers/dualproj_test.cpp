#include "paretofl/solvers/dualproj.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<double> solve_dualproj(const Gramian& gramian) { return DualProj({}).solve({.gramian = gramian}).objective_weights; }

TEST(DualProj, GoldenValues) {
  // The mean (1 - 3) / 2 conflicts with g_1: it gains z of it until <g_1, d> = (1 + 2 z - 3) / 2 = 0.
  EXPECT_THAT(solve_dualproj(Gramian(2, {1, -3, -3, 16})), ElementsAre(DoubleNear(0.75, 1e-15), DoubleNear(0.25, 1e-15)));
  // A conflict that the mean does not share is left alone.
  EXPECT_THAT(solve_dualproj(Gramian(2, {1, -0.5, -0.5, 1})), ElementsAre(0.5, 0.5));
}

// With exactly one objective in conflict with the mean, the projection is orthogonal to that gradient.
TEST(DualProj, ProjectsOnTheViolatedPlane) {
  int projected = 0;
  for (int index = 0; index < 500; ++index) {
    const Gramian g = gramian_of(normal_rows(index, 2, 2), 2);
    const bool first = g(0, 0) + g(0, 1) < 0;
    const bool second = g(1, 1) + g(0, 1) < 0;
    const std::vector<double> lambda = solve_dualproj(g);
    if (!first && !second) {
      EXPECT_THAT(lambda, ElementsAre(0.5, 0.5));
      continue;
    }
    const std::size_t k = first ? 0 : 1;
    EXPECT_NEAR(g(k, 0) * lambda[0] + g(k, 1) * lambda[1], 0, 1e-12 * g.trace());
    ++projected;
  }
  EXPECT_GT(projected, 50);
}

}  // namespace
}  // namespace paretofl
