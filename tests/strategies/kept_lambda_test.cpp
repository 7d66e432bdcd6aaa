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

}  // namespace
}  // namespace paretofl
