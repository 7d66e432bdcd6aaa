#include "paretofl/solvers/fixed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using ::testing::ElementsAre;

TEST(Fixed, ScalesToTheSimplex) {
  const Gramian gramian(2, {1, 0, 0, 4});
  EXPECT_THAT(Fixed({.objective_weights = {1, 3}}).solve({.gramian = gramian}).objective_weights, ElementsAre(0.25, 0.75));
  EXPECT_THAT(Fixed({.objective_weights = {1e308, 1e308}}).solve({.gramian = gramian}).objective_weights, ElementsAre(0.5, 0.5));
  EXPECT_THAT(Fixed({.objective_weights = {0, 2}}).solve({.gramian = gramian}).objective_weights, ElementsAre(0, 1));
}

TEST(Fixed, IsUniformByDefault) {
  const Gramian gramian(4);
  EXPECT_THAT(Fixed({}).solve({.gramian = gramian}).objective_weights, ElementsAre(0.25, 0.25, 0.25, 0.25));
}

TEST(Fixed, RejectsWhatDoesNotFit) {
  const Gramian gramian(3);
  EXPECT_THROW(Fixed({.objective_weights = {1, 1}}).solve({.gramian = gramian}), Error);
  EXPECT_THROW(Fixed({.objective_weights = {0, 0}}), Error);
}

}  // namespace
}  // namespace paretofl
