#include "paretofl/strategies/kept_lambda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

TEST(KeptLambda, IsUniformUntilItIsSetAndComesBackFromItsState) {
  KeptLambda lambda(4);
  EXPECT_THAT(lambda.values(), testing::Each(0.25));
  lambda.set({0.5, 0.125, 0.25, 0.125});
  Record state;
  lambda.save(state);
  KeptLambda again(4);
  again.load(state);
  EXPECT_EQ(again.values(), lambda.values());
  KeptLambda other(3);
  EXPECT_THROW(other.load(state), Error) << "of another number of objectives";
  EXPECT_THROW(other.load(Record()), Error);
}

TEST(KeptLambda, KeepsTheLossesForSolversThatReadThem) {
  const std::vector<double> losses = {3, 4};
  KeptLambda lambda(2);
  lambda.set({0.5, 0.5}, losses, *make_solver({"min_norm", {}}));
  Record without;
  lambda.save(without);
  EXPECT_TRUE(lambda.losses().empty());
  EXPECT_FALSE(without.arrays.contains("lambda_losses"));
  lambda.set({0.25, 0.75}, losses, *make_solver({"famo", {}}));
  Record state;
  lambda.save(state);
  KeptLambda again(2);
  again.load(state);
  EXPECT_EQ(again.losses(), losses);
  again.load(without);
  EXPECT_TRUE(again.losses().empty());
}

}  // namespace
}  // namespace paretofl
