#include "paretofl/local/local_training.h"

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

TEST(LocalTraining, ShrinksAHalfSquareGeometrically) {
  const std::vector<float> start{8, -4};
  const LocalUpdate result = train_locally({.local_steps = 3, .client_lr = 0.5}, start, 1, half_square);
  EXPECT_THAT(result.update, ElementsAre(FloatEq(7), FloatEq(-3.5F)));  // theta ends at start / 8
  EXPECT_THAT(result.losses, ElementsAre(testing::DoubleEq((40 + 10 + 2.5) / 3)));
}

TEST(LocalTraining, OneStepIsTheGradient) {
  const std::vector<float> start{2};
  EXPECT_THAT(train_locally({.local_steps = 1, .client_lr = 0.25}, start, 1, half_square).update, ElementsAre(0.5F));
}

TEST(LocalTraining, TheProximalTermPullsBackToTheStart) {
  // The fixed point of theta + mu (theta - start) = 0 is mu / (1 + mu) start.
  const std::vector<float> start{6};
  const LocalUpdate result = train_locally({.local_steps = 200, .client_lr = 0.1, .proximal = 2}, start, 1, half_square);
  EXPECT_THAT(start[0] - result.update[0], FloatNear(4, 1e-4F));
}

TEST(LocalTraining, AdamStartsAfreshInEveryCall) {
  const std::vector<float> start{8, -4, 0.5F};
  const LocalTrainingOptions options{.local_steps = 1, .client_lr = 0.01, .optimizer = "adam"};
  // Adam's first step is the learning rate times the gradient's sign, whatever the gradient's size.
  const auto once = ElementsAre(FloatNear(0.01F, 1e-6F), FloatNear(-0.01F, 1e-6F), FloatNear(0.01F, 1e-6F));
  EXPECT_THAT(train_locally(options, start, 1, half_square).update, once);
  EXPECT_THAT(train_locally(options, start, 1, half_square).update, once);
}

TEST(LocalTraining, AdamFeelsTheProximalTerm) {
  const std::vector<float> start{6};
  const LocalTrainingOptions options{.local_steps = 2000, .client_lr = 0.05, .optimizer = "adam", .proximal = 2};
  EXPECT_THAT(start[0] - train_locally(options, start, 1, half_square).update[0], FloatNear(4, 1e-3F));
}

TEST(LocalTraining, ALossThatIsNotFiniteIsAnError) {
  const std::vector<float> start{1};
  const auto broken = [](std::int64_t step, auto, std::span<double> losses, std::span<float> gradient) {
    losses[0] = step == 2 ? std::numeric_limits<double>::quiet_NaN() : 0;
    gradient[0] = 0;
  };
  EXPECT_THAT([&] { train_locally({}, start, 1, broken); }, ThrowsMessage<Error>(HasSubstr("found nan for objective 0 at step 2")));
}

}  // namespace
}  // namespace paretofl
