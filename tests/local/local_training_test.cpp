#include "paretofl/local/local_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/local/learning_rate.h"

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

TEST(LocalTraining, LongGradientsAreShortenedAndShortOnesAreNot) {
  const std::vector<float> start{3, 4};
  LocalTrainingOptions options{.local_steps = 1, .client_lr = 1, .max_grad_norm = 2};
  EXPECT_THAT(train_locally(options, start, 1, half_square).update, ElementsAre(FloatNear(1.2F, 1e-6F), FloatNear(1.6F, 1e-6F)));
  options.max_grad_norm = 5.1;
  EXPECT_THAT(train_locally(options, start, 1, half_square).update, ElementsAre(3, 4));
}

TEST(LocalTraining, WeightDecayAloneShrinksParameters) {
  const auto none = [](std::int64_t, std::span<const float>, std::span<double> losses, std::span<float> gradient) {
    losses[0] = 0;
    std::fill(gradient.begin(), gradient.end(), 0.F);
  };
  for (const char* optimizer : {"sgd", "adam"}) {
    const LocalTrainingOptions options{.local_steps = 2, .client_lr = 0.5, .optimizer = optimizer, .weight_decay = 0.5};
    EXPECT_THAT(train_locally(options, std::vector<float>{16, -32}, 1, none).update, ElementsAre(7, -14)) << optimizer;
  }
}

// The pull of FedProx is at the parameters before the decay, like the gradient, with clipping or without.
TEST(LocalTraining, DecayComesAfterTheProximalTerm) {
  for (const double clip : {0.0, 1e9}) {
    const LocalTrainingOptions options{.local_steps = 2, .client_lr = 0.1, .proximal = 1, .max_grad_norm = clip, .weight_decay = 1};
    const LocalUpdate local = train_locally(options, std::vector<float>{1}, 1, [](auto, auto, auto, auto gradient) { gradient[0] = 0; });
    // 1 to 0.9; then the pull -0.1 is at 0.9: 0.9 * 0.9 + 0.1 * 0.1
    EXPECT_NEAR(local.update[0], 1 - 0.82, 1e-6) << clip;
  }
}

// PyTorch 2.15: AdamW and SGD with weight_decay 0.05 and clip_grad_norm_ to 1.5, under the schedule of transformers' function
// get_cosine_schedule_with_warmup(optimizer, 2, 5) from a rate of 0.1.
TEST(LocalTraining, ClippingDecayAndWarmUpAreThoseOfPyTorch) {
  const std::vector<float> start{1, -2, 0.5};
  const auto gradients = [](std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> gradient) {
    losses[0] = 0;
    for (std::size_t i = 0; i < 3; ++i) gradient[i] = 0.4F * theta[i] * static_cast<float>(i + 1) + 0.1F * static_cast<float>(step);
  };
  const RateSchedule schedule{.warmup = 2, .total = 5};
  const std::vector<double> rates = {0, 0.05, 0.1, 0.075, 0.025};
  for (std::size_t step = 0; step < rates.size(); ++step)
    EXPECT_NEAR(scheduled_rate(schedule, 0.1, static_cast<double>(step)), rates[step], 1e-12);
  EXPECT_NEAR(scheduled_rate(schedule, 0.1, 7), 0, 1e-12);
  EXPECT_EQ(scheduled_rate({.warmup = 2}, 0.1, 1), 0.05);
  EXPECT_EQ(scheduled_rate({.warmup = 2}, 0.1, 9), 0.1);
  const std::vector<std::pair<std::string, std::vector<double>>> expected = {{"adam", {0.7384589384, -1.727900869, 0.2437951861}},
                                                                             {"sgd", {0.8452177818, -1.681692342, 0.3178261804}}};
  for (const auto& [optimizer, theta] : expected) {
    const LocalTrainingOptions options{.local_steps = 5, .optimizer = optimizer, .max_grad_norm = 1.5, .weight_decay = 0.05};
    const auto rate = [&](std::int64_t step) { return scheduled_rate(schedule, 0.1, static_cast<double>(step)); };
    const LocalUpdate found = train_locally(options, start, 1, gradients, rate);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(double{start[i]} - found.update[i], theta[i], 1e-6) << optimizer;
  }
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
