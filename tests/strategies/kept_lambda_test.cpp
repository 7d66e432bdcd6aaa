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

TEST(KeptLambda, ObjectivesThatNobodyHadKeepTheirWeight) {
  KeptLambda lambda(4);
  lambda.set({0.1, 0.2, 0.3, 0.4});
  const std::vector<double> losses{1, 2, 3, 4};
  const auto solver = make_solver({"min_norm", {}});
  lambda.set({0.75, 0, 0.25, 0}, std::vector<std::size_t>{0, 2}, losses, *solver);
  EXPECT_THAT(lambda.values(), testing::Pointwise(testing::DoubleEq(), std::vector<double>{0.3, 0.2, 0.1, 0.4}));
  lambda.set({0.25, 0.25, 0.5, 0}, std::vector<std::size_t>{0, 1, 2, 3}, losses, *solver);
  EXPECT_THAT(lambda.values(), testing::ElementsAre(0.25, 0.25, 0.5, 0));
  const auto of_losses = make_solver({"famo", {}});
  lambda.set({0.5, 0, 0.5, 0}, std::vector<std::size_t>{0, 2}, losses, *of_losses);
  EXPECT_TRUE(lambda.losses().empty()) << "those of two objectives are not known yet";
  lambda.set({0.25, 0.25, 0.25, 0.25}, losses, *of_losses);
  lambda.set({0.5, 0, 0.5, 0}, std::vector<std::size_t>{0, 2}, std::vector<double>{5, 0, 7, 0}, *of_losses);
  EXPECT_THAT(lambda.losses(), testing::ElementsAre(5, 2, 7, 4));
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
