#include "paretofl/solvers/aligned_mtl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "paretofl/core/random.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<double> solve_aligned_mtl(const Gramian& gramian, std::span<const double> preference = {}) {
  return AlignedMtl({}).solve({.gramian = gramian, .preference = preference}).objective_weights;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  return product /
         std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) * std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
}

// A matrix has condition number 1 if and only if it keeps every angle: B J turns preferences into directions with the same angles.
TEST(AlignedMtl, TheAlignedGradientsHaveConditionNumberOne) {
  for (int index = 0; index < 200; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "preferences");
    const std::size_t objectives = 2 + draws.below(10);
    const std::size_t columns = objectives + 2;
    const std::vector<double> rows = normal_rows(index, objectives, columns);
    const auto direction = [&](const std::vector<double>& preference) {
      const std::vector<double> lambda = solve_aligned_mtl(gramian_of(rows, objectives), preference);
      std::vector<double> sum(columns);
      for (std::size_t k = 0; k < objectives; ++k) {
        for (std::size_t j = 0; j < columns; ++j) sum[j] += lambda[k] * rows[k * columns + j];
      }
      return sum;
    };
    std::vector<double> first(objectives);
    std::vector<double> second(objectives);
    for (double& value : first) value = draws.uniform(0.1, 3);
    for (double& value : second) value = draws.uniform(0.1, 3);
    EXPECT_NEAR(cosine(direction(first), direction(second)), cosine(first, second), 1e-9) << index;
  }
}

TEST(AlignedMtl, GoldenValues) {
  EXPECT_THAT(solve_aligned_mtl(Gramian(2, {1, 0, 0, 4})), ElementsAre(DoubleNear(2.0 / 3, 1e-12), DoubleNear(1.0 / 3, 1e-12)));
  // The inverse root of [[1, 9], [9, 100]] is [[100 + s, -9], [-9, 1 + s]] up to a factor, s the root of its determinant 19.
  const double first = 91 + std::sqrt(19.0);
  const double second = -8 + std::sqrt(19.0);
  EXPECT_THAT(solve_aligned_mtl(Gramian(2, {1, 9, 9, 100})),
              ElementsAre(DoubleNear(first / (first - second), 1e-12), DoubleNear(second / (first - second), 1e-12)));
  // One direction twice: the aligned pair shares it.
  EXPECT_THAT(solve_aligned_mtl(Gramian(3, {1, 1, 0, 1, 1, 0, 0, 0, 1})),
              ElementsAre(DoubleNear(1 / (2 + std::sqrt(2.0)), 1e-12), DoubleNear(1 / (2 + std::sqrt(2.0)), 1e-12),
                          DoubleNear(std::sqrt(2.0) / (2 + std::sqrt(2.0)), 1e-12)));
}

}  // namespace
}  // namespace paretofl
