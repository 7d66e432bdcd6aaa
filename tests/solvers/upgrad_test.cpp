#include "paretofl/solvers/upgrad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/optimization/dual_cone.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(DualCone, TheStepIsOptimalOnEveryKindOfGramian) {
  double worst = 0;
  for (int index = 0; index < 1000; ++index) {
    const RandomGramian random = random_gramian(index);
    const UnitGramian units(random.gramian);
    std::vector<double> start(units.norms.size());
    start[index % start.size()] = 1;
    const DualConeStep step = step_to_dual_cone(units, start);
    for (const double value : step.along_units) ASSERT_GE(value, 0) << random.description;
    worst = std::max(worst, step.residual);
  }
  EXPECT_LE(worst, 1e-10);
}

// The definition: every other point of the cone is farther from the start. Candidates are the projection
// itself plus any gradient or minus any that has room, in small steps, where the cone allows them.
TEST(DualCone, NoNeighbourIsNearer) {
  for (int index = 0; index < 200; ++index) {
    const std::size_t objectives = 2 + index % 4;
    const UnitGramian units(gramian_of(normal_rows(index, objectives, objectives), objectives));
    std::vector<double> start(objectives, 1.0);
    const std::vector<double> added = step_to_dual_cone(units, start).along_units;
    const auto squared = [&](const std::vector<double>& along) {
      double sum = 0;
      for (std::size_t i = 0; i < objectives; ++i) {
        for (std::size_t j = 0; j < objectives; ++j) sum += along[i] * units.cosines(i, j) * along[j];
      }
      return sum;
    };
    const auto inside = [&](const std::vector<double>& along) {
      for (std::size_t i = 0; i < objectives; ++i) {
        double slope = 0;
        for (std::size_t j = 0; j < objectives; ++j) slope += units.cosines(i, j) * (start[j] + along[j]);
        if (slope < -1e-12) return false;
      }
      return true;
    };
    ASSERT_TRUE(inside(added));
    for (std::size_t i = 0; i < objectives; ++i) {
      for (const double change : {-0.1, -1e-3, 1e-3, 0.1}) {
        std::vector<double> other = added;
        other[i] += change;
        if (inside(other)) {
          EXPECT_GE(squared(other), squared(added) - 1e-12) << index;
        }
      }
    }
  }
}

TEST(UpGrad, PairsMatchTheClosedForm) {
  // proj(g_1) = g_1 - <g_1, g_2> / ||g_2||^2 g_2 where they conflict.
  for (int index = 0; index < 300; ++index) {
    const Gramian g = gramian_of(normal_rows(index, 2, 3), 2);
    const double conflict = std::max(-g(0, 1), 0.0);
    const double first = 1 + conflict / g(0, 0);
    const double second = 1 + conflict / g(1, 1);
    const WeightSolution solution = UpGrad({}).solve({.gramian = g});
    EXPECT_THAT(solution.objective_weights,
                ElementsAre(DoubleNear(first / (first + second), 1e-12), DoubleNear(second / (first + second), 1e-12)));
    EXPECT_LE(solution.kkt_residual, 1e-14);
  }
}

TEST(UpGrad, GoldenValues) {
  // Each gradient projected gains a quarter or one of the other: (1 + 1, 1/4 + 1).
  EXPECT_THAT(UpGrad({}).solve({.gramian = Gramian(2, {1, -1, -1, 4})}).objective_weights,
              ElementsAre(DoubleNear(2.0 / 3.25, 1e-15), DoubleNear(1.25 / 3.25, 1e-15)));
  // The projections are g_1 + g_2, g_2 + g_1 / 2 and g_3.
  EXPECT_THAT(UpGrad({}).solve({.gramian = Gramian(3, {2, -1, 0, -1, 1, 0, 0, 0, 1})}).objective_weights,
              ElementsAre(DoubleNear(1.5 / 4.5, 1e-15), DoubleNear(2.0 / 4.5, 1e-15), DoubleNear(1.0 / 4.5, 1e-15)));
}

}  // namespace
}  // namespace paretofl
