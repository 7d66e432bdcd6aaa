#include "paretofl/core/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Request, SharesTheModelsParametersUntilTheyChange) {
  Parameters theta(flat_layout("x", 2), {1, 2});
  const Request request = Request("train").with(theta);
  EXPECT_EQ(request.theta(2).data(), std::as_const(theta).values().data());
  theta.step(1, std::vector<float>{1, 1});
  EXPECT_THAT(request.theta(2), ElementsAre(1, 2));
  EXPECT_THAT(theta.values(), ElementsAre(0, 1));
}

/// What a client checks of what it receives.
TEST(Request, HasParametersOfTheRightSizeThatAreFinite) {
  EXPECT_THAT(Request("train").with(std::vector<float>{1, 2}).theta(2), ElementsAre(1, 2));
  EXPECT_THAT([] { Request("train").theta(2); }, ThrowsMessage<Error>(HasSubstr("request 'train': expected parameters, found none")));
  EXPECT_THAT(
      [] {
        Request("train").with(std::vector<float>{1, 2}).theta(3);
      },
      ThrowsMessage<Error>(HasSubstr("expected 3 parameters, found 2")));
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(
        [&] {
          Request("train").with(std::vector<float>{1, bad, 2}).theta(3);
        },
        ThrowsMessage<Error>(HasSubstr("expected finite parameters")));
  }
}

TEST(Request, HasObjectiveWeightsOfTheRightNumberThatAreFinite) {
  EXPECT_THAT(Request("train").with_objective_weights({0.25, 0.75}).lambda(2), ElementsAre(0.25, 0.75));
  EXPECT_THAT([] { Request("train").with_objective_weights({1}).lambda(2); },
              ThrowsMessage<Error>(HasSubstr("expected 2 objective weights, found 1")));
  EXPECT_THAT(
      [] {
        Request("train").with_objective_weights({1, std::nan("")}).lambda(2);
      },
      ThrowsMessage<Error>(HasSubstr("expected finite objective weights")));
}

}  // namespace
}  // namespace paretofl
