#include "paretofl/objectives/hypervolume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/objectives/pareto_front.h"
#include "tests/objectives/random_points.h"

namespace paretofl {
namespace {

std::vector<double> zeros(std::size_t objectives) { return std::vector<double>(objectives, 0.0); }

// Volume of the union of the boxes between 0 and the points, by inclusion and exclusion over all subsets.
double by_inclusion_exclusion(const PointSet& points) {
  double total = 0;
  for (std::size_t subset = 1; subset < std::size_t{1} << points.size(); ++subset) {
    std::vector<double> corner(points.objectives(), 1e300);
    int members = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((subset >> i & 1) == 0) continue;
      ++members;
      for (std::size_t k = 0; k < corner.size(); ++k) corner[k] = std::min(corner[k], points[i][k]);
    }
    double volume = members % 2 == 1 ? 1 : -1;
    for (const double side : corner) volume *= side;
    total += volume;
  }
  return total;
}

class HypervolumeOfM : public ::testing::TestWithParam<std::size_t> {
 protected:
  Random stream(std::uint32_t trial) const { return {{7, trial, static_cast<std::uint32_t>(GetParam())}, "hypervolume"}; }
};
INSTANTIATE_TEST_SUITE_P(Objectives, HypervolumeOfM, ::testing::Values(1, 2, 3, 4, 5, 6));

TEST_P(HypervolumeOfM, IsTheVolumeOfTheUnion) {
  for (std::uint32_t trial = 0; trial < 60; ++trial) {
    Random random = stream(trial);
    const PointSet grid = random_grid_points(random, 1 + trial % 9, GetParam());
    // Every product of grid coordinates and every sum of them is exact.
    EXPECT_EQ(hypervolume(grid, zeros(GetParam())), by_inclusion_exclusion(grid));
    const PointSet free = random_points(random, 1 + trial % 9, GetParam());
    EXPECT_NEAR(hypervolume(free, zeros(GetParam())), by_inclusion_exclusion(free), 1e-12);
  }
}

TEST_P(HypervolumeOfM, AgreesWithMonteCarlo) {
  Random random = stream(1000);
  const PointSet points = random_points(random, 40, GetParam());
  constexpr int kSamples = 20000;
  int inside = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<double> dart(GetParam());
    for (double& x : dart) x = random.uniform();
    bool covered = false;
    for (std::size_t i = 0; i < points.size() && !covered; ++i) {
      covered = std::equal(dart.begin(), dart.end(), points[i].begin(), std::less_equal<>());
    }
    inside += covered ? 1 : 0;
  }
  // Five standard errors of a fraction, at most 0.5 / sqrt(n) each.
  EXPECT_NEAR(hypervolume(points, zeros(GetParam())), static_cast<double>(inside) / kSamples, 5 * 0.5 / std::sqrt(kSamples));
}

TEST_P(HypervolumeOfM, IgnoresOrderDuplicatesAndDominatedPoints) {
  for (std::uint32_t trial = 0; trial < 20; ++trial) {
    Random random = stream(trial);
    const PointSet points = random_points(random, 30, GetParam());
    const double volume = hypervolume(points, zeros(GetParam()));
    EXPECT_EQ(hypervolume(points.rows(random_order(random, 30)), zeros(GetParam())), volume);
    EXPECT_EQ(hypervolume(points.rows(pareto_front(points)), zeros(GetParam())), volume);
    std::vector<std::size_t> twice = random_order(random, 30);
    twice.insert(twice.end(), {0, 0, 7});
    EXPECT_EQ(hypervolume(points.rows(twice), zeros(GetParam())), volume);
  }
}

TEST_P(HypervolumeOfM, GrowsWithEveryNonDominatedPointAndNeverShrinks) {
  Random random = stream(2000);
  const PointSet points = random_points(random, 40, GetParam());
  double before = 0;
  std::vector<std::size_t> so_far;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool covered = std::any_of(so_far.begin(), so_far.end(), [&](std::size_t j) { return dominates(points[j], points[i]); });
    so_far.push_back(i);
    const double now = hypervolume(points.rows(so_far), zeros(GetParam()));
    if (covered) {
      EXPECT_EQ(now, before);
    } else {
      EXPECT_GT(now, before);
    }
    before = now;
  }
}

TEST_P(HypervolumeOfM, ScalesAndShiftsWithItsAxes) {
  Random random = stream(3000);
  const PointSet points = random_points(random, 25, GetParam());
  std::vector<double> moved;
  std::vector<double> reference;
  double factor = 1;
  for (std::size_t k = 0; k < GetParam(); ++k) {
    reference.push_back(-20.0 + static_cast<double>(k));
    factor *= static_cast<double>(k + 2);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < GetParam(); ++k) moved.push_back(reference[k] + static_cast<double>(k + 2) * points[i][k]);
  }
  const double expected = factor * hypervolume(points, zeros(GetParam()));
  EXPECT_NEAR(hypervolume(PointSet(GetParam(), moved), reference), expected, 1e-10 * expected);
}

TEST_P(HypervolumeOfM, MinimizationMirrorsMaximization) {
  Random random = stream(4000);
  const PointSet points = random_points(random, 25, GetParam());
  std::vector<Direction> directions(GetParam(), Direction::kMaximize);
  directions.back() = Direction::kMinimize;
  std::vector<double> reference(GetParam(), 0.25);
  const PointSet mirrored = points.maximized(directions);
  const double volume = hypervolume(points, reference);
  reference.back() *= -1;
  EXPECT_EQ(hypervolume(mirrored, reference, directions), volume);
}

TEST(Hypervolume, AddsForBoxesThatOnlyShareTheReferenceSlab) {
  // Two boxes that overlap in [0, 1] x [0, 1] x ... only: their volumes add up to the union plus that.
  for (std::size_t objectives = 2; objectives <= 6; ++objectives) {
    std::vector<double> values(2 * objectives, 1.0);
    values[0] = 5;
    values[objectives + 1] = 3;
    EXPECT_EQ(hypervolume(PointSet(objectives, values), zeros(objectives)), 5 + 3 - 1);
  }
}

TEST(Hypervolume, PointsNotBetterThanTheReferenceAddNothing) {
  const std::vector<double> reference{0, -10};
  EXPECT_EQ(hypervolume(PointSet(2, {24, -19}), reference), 0);
  EXPECT_EQ(hypervolume(PointSet(2, {24, -10}), reference), 0);
  EXPECT_EQ(hypervolume(PointSet(2, {24, -19, 2, -7}), reference), 6);
  EXPECT_EQ(hypervolume(PointSet(2, {}), reference), 0);
}

TEST(Hypervolume, RejectsWhatItCannotMeasure) {
  EXPECT_THROW(hypervolume(PointSet(7, std::vector<double>(7, 1.0)), zeros(7)), Error);
  EXPECT_THROW(hypervolume(PointSet(2, {1, 1}), zeros(3)), Error);
  const std::vector<double> not_a_number{0, std::nan("")};
  EXPECT_THROW(hypervolume(PointSet(2, {1, 1}), not_a_number), Error);
  EXPECT_THROW(hypervolume(PointSet(2, {1e200, 1e200}), zeros(2)), Error);
  EXPECT_THROW(hypervolume(PointSet(4, {1e200, 1e200, 1, 1, 1, 2, 1e200, 1e200}), zeros(4)), Error);
}

}  // namespace
}  // namespace paretofl
