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
  lambda.set({0.75, 0, 0.25, 0}, std::vector<std::size_t>{0, 2});
  EXPECT_THAT(lambda.values(), testing::Pointwise(testing::DoubleEq(), std::vector<double>{0.3, 0.2, 0.1, 0.4}));
  lambda.set({0.25, 0.25, 0.5, 0}, std::vector<std::size_t>{0, 1, 2, 3});
  EXPECT_THAT(lambda.values(), testing::ElementsAre(0.25, 0.25, 0.5, 0));
}

}  // namespace
}  // namespace paretofl
