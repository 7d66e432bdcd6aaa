#include "paretofl/local/local_sgd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::FloatNear;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Gradient theta of the loss 1/2 ||theta||^2.
void half_square(std::int64_t, std::span<const float> theta, std::span<double> losses, std::span<float> gradient) {
  losses[0] = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    gradient[i] = theta[i];
    losses[0] += 0.5 * theta[i] * theta[i];
  }
}

TEST(LocalSgd, ShrinksAHalfSquareGeometrically) {
  const std::vector<float> start{8, -4};
  const LocalUpdate result = local_sgd({.local_steps = 3, .client_lr = 0.5}, start, 1, half_square);
  EXPECT_THAT(result.update, ElementsAre(FloatEq(7), FloatEq(-3.5F)));  // theta ends at start / 8
  EXPECT_THAT(result.losses, ElementsAre(testing::DoubleEq((40 + 10 + 2.5) / 3)));
}

TEST(LocalSgd, OneStepIsTheGradient) {
  const std::vector<float> start{2};
  EXPECT_THAT(local_sgd({.local_steps = 1, .client_lr = 0.25}, start, 1, half_square).update, ElementsAre(0.5F));
}

TEST(LocalSgd, TheProximalTermPullsBackToTheStart) {
  // The fixed point of theta + mu (theta - start) = 0 is mu / (1 + mu) start.
  const std::vector<float> start{6};
  const LocalUpdate result = local_sgd({.local_steps = 200, .client_lr = 0.1, .proximal = 2}, start, 1, half_square);
  EXPECT_THAT(start[0] - result.update[0], FloatNear(4, 1e-4F));
}

TEST(LocalSgd, ALossThatIsNotFiniteIsAnError) {
  const std::vector<float> start{1};
  const auto broken = [](std::int64_t step, auto, std::span<double> losses, std::span<float> gradient) {
    losses[0] = step == 2 ? std::numeric_limits<double>::quiet_NaN() : 0;
    gradient[0] = 0;
  };
  EXPECT_THAT([&] { local_sgd({}, start, 1, broken); }, ThrowsMessage<Error>(HasSubstr("found nan for objective 0 at step 2")));
}

}  // namespace
}  // namespace paretofl
