#include "paretofl/solvers/pcgrad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "paretofl/solvers/upgrad.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> solve_pcgrad(const Gramian& gramian) { return PcGrad({}).solve({.gramian = gramian}).objective_weights; }

// The paper's surgery on the gradients themselves: g_i after the others in that order.
std::vector<double> operated(const std::vector<double>& rows, std::size_t columns, std::size_t i, const std::vector<std::size_t>& order) {
  std::vector<double> gradient(rows.begin() + static_cast<std::ptrdiff_t>(i * columns),
                               rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
  for (const std::size_t j : order) {
    const double* other = &rows[j * columns];
    const double product = std::inner_product(gradient.begin(), gradient.end(), other, 0.0);
    const double square = std::inner_product(other, other + columns, other, 0.0);
    if (product >= 0) continue;
    for (std::size_t k = 0; k < columns; ++k) gradient[k] -= product / square * other[k];
  }
  return gradient;
}

std::vector<double> normalized(std::vector<double> values) {
  const double norm = std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
  for (double& value : values) value /= norm;
  return values;
}

TEST(PcGrad, IsTheExpectationOverAllOrdersOfThree) {
  constexpr std::size_t kColumns = 4;
  for (int index = 0; index < 200; ++index) {
    const std::vector<double> rows = normal_rows(index, 3, kColumns);
    std::vector<double> expected(kColumns);
    for (std::size_t i = 0; i < 3; ++i) {
      for (const std::vector<std::size_t>& order : {std::vector{(i + 1) % 3, (i + 2) % 3}, std::vector{(i + 2) % 3, (i + 1) % 3}}) {
        const std::vector<double> gradient = operated(rows, kColumns, i, order);
        for (std::size_t k = 0; k < kColumns; ++k) expected[k] += gradient[k] / 2;
      }
    }
    const std::vector<double> lambda = solve_pcgrad(gramian_of(rows, 3));
    std::vector<double> direction(kColumns);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < kColumns; ++k) direction[k] += lambda[i] * rows[i * kColumns + k];
    }
    EXPECT_THAT(normalized(direction), Pointwise(DoubleNear(1e-9), normalized(expected))) << index;
  }
}

TEST(PcGrad, OfPairsIsUpGrad) {
  for (int index = 0; index < 200; ++index) {
    const Gramian gramian = gramian_of(normal_rows(index, 2, 3), 2);
    EXPECT_THAT(solve_pcgrad(gramian), Pointwise(DoubleNear(1e-12), UpGrad({}).solve({.gramian = gramian}).objective_weights));
  }
}

TEST(PcGrad, CyclicRenumberingMovesTheWeights) {
  for (int index = 0; index < 100; ++index) {
    const std::size_t objectives = 4 + index % 9;
    const Gramian gramian = gramian_of(normal_rows(index, objectives, objectives), objectives);
    Gramian moved(objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) moved(i, j) = gramian((i + 1) % objectives, (j + 1) % objectives);
    }
    std::vector<double> expected = solve_pcgrad(gramian);
    std::rotate(expected.begin(), expected.begin() + 1, expected.end());
    EXPECT_THAT(solve_pcgrad(moved), Pointwise(DoubleNear(1e-12), expected));
  }
}

TEST(PcGrad, GoldenValues) {
  // g_1 + g_2 / 4 and g_2 + g_1.
  EXPECT_THAT(solve_pcgrad(Gramian(2, {1, -1, -1, 4})), ElementsAre(DoubleNear(2 / 3.25, 1e-15), DoubleNear(1.25 / 3.25, 1e-15)));
}

}  // namespace
}  // namespace paretofl
