#include "paretofl/environments/action_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ActionSpace, TakesTheIntegersOfADiscreteSpaceOnly) {
  const ActionSpace space{.choices = 4, .low = {}, .high = {}};
  for (const double action : {0.0, 1.0, 3.0}) EXPECT_NO_THROW(space.check({&action, 1}, "sea"));
  for (const double action : {-1.0, 4.0, 0.5, 1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(
        [&] {
          space.check({&action, 1}, "sea");
        },
        ThrowsMessage<Error>(HasSubstr("sea: expected an integer action from 0 to 3")))
        << action;
  }
  EXPECT_THAT([&] { space.check({}, "sea"); }, ThrowsMessage<Error>(HasSubstr("expected an action of 1 number, found 0")));
}

TEST(ActionSpace, TakesAnyFiniteNumbersInABox) {
  const ActionSpace space{.choices = 0, .low = {-1, -1}, .high = {1, 1}};
  const auto checking = [&](std::vector<double> action) { return [&space, action] { space.check(action, "cart"); }; };
  EXPECT_NO_THROW(checking({0.5, 7})());
  EXPECT_THAT(checking({0, std::nan("")}), ThrowsMessage<Error>(HasSubstr("cart: expected an action of finite numbers, found nan")));
  EXPECT_THAT(checking({0}), ThrowsMessage<Error>(HasSubstr("expected an action of 2 numbers, found 1")));
}

TEST(ActionSpace, SamplesAllOfIt) {
  Random random({.seed = 1}, "actions");
  std::set<double> seen;
  double action = 0;
  for (int i = 0; i < 100; ++i) {
    ActionSpace{.choices = 4, .low = {}, .high = {}}.sample(random, {&action, 1});
    seen.insert(action);
  }
  EXPECT_THAT(seen, testing::ElementsAre(0, 1, 2, 3));
  const ActionSpace box{.choices = 0, .low = {-1, 5}, .high = {0, 6}};
  std::vector<double> numbers(2);
  for (int i = 0; i < 100; ++i) {
    box.sample(random, numbers);
    EXPECT_NEAR(numbers[0], -0.5, 0.5);
    EXPECT_NEAR(numbers[1], 5.5, 0.5);
  }
}

}  // namespace
}  // namespace paretofl
