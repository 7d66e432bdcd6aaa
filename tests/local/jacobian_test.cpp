#include "paretofl/local/jacobian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

TEST(Jacobian, ColumnsCutsEveryRow) {
  const std::vector<float> matrix{1, 2, 3, 4, 5, 6};
  EXPECT_THAT(columns(matrix, 2, {1, 3}), ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(columns(matrix, 3, {0, 1}), ElementsAre(1, 3, 5));
}

TEST(Jacobian, WeightedRowsIsLambdaTimesTheMatrix) {
  const std::vector<float> matrix{1, 2, 3, 4, 5, 6};
  EXPECT_THAT(weighted_rows(matrix, std::vector<double>{0.5, 0.25}), ElementsAre(1.5F, 2.25F, 3));
}

TEST(Jacobian, HeadsStayOutOfTheGramianUnlessAsked) {
  const Layout layout({{.name = "encoder", .shape = {3}, .range = {}}, {.name = "head", .shape = {2}, .head = 0, .range = {}}});
  EXPECT_EQ(gramian_part(layout, false), (Range{0, 3}));
  EXPECT_EQ(gramian_part(layout, true), (Range{0, 5}));
  const Layout heads_only({{.name = "head", .shape = {2}, .head = 0, .range = {}}});
  EXPECT_EQ(gramian_part(heads_only, false), (Range{0, 2}));
}

TEST(Jacobian, HeadsDescendUnderNegativeWeights) {
  const Layout layout({{.name = "encoder", .shape = {2}, .range = {}},
                       {.name = "first", .shape = {1}, .head = 0, .range = {}},
                       {.name = "second", .shape = {2}, .head = 1, .range = {}}});
  std::vector<float> gradient{1, 2, 3, 4, 5};
  descend_in_heads(layout, std::vector<double>{0.7, -0.3}, gradient);
  EXPECT_THAT(gradient, ElementsAre(1, 2, 3, -4, -5));
  descend_in_heads(layout, std::vector<double>{0.7, 0.3}, gradient);
  EXPECT_THAT(gradient, ElementsAre(1, 2, 3, -4, -5));
}

TEST(Jacobian, SharedAndOwnMinibatchesDifferOnlyInTheirNoise) {
  const Quadratics noisy({.clients = 2, .gradient_noise = 1}, 1);
  const Quadratics exact({.clients = 2, .gradient_noise = 0}, 1);
  const auto theta = exact.initial_parameters();
  const Random stream({1, 2, 3}, "test");
  const auto rows = [&](const Quadratics& problem, bool shared) {
    return sample_jacobian(*problem.oracle(0), theta.values(), shared, stream).rows;
  };
  EXPECT_EQ(rows(exact, true), rows(exact, false));
  EXPECT_NE(rows(noisy, true), rows(noisy, false));
  EXPECT_EQ(rows(noisy, false), rows(noisy, false));
}

}  // namespace
}  // namespace paretofl
