#include "paretofl/agents/squashed_normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

/// log pi(a) of one number by the definition: the normal density of u = artanh(a) divided by da/du.
double log_density(double mean, double log_deviation, double noise) {
  const double deviation = std::exp(log_deviation);
  const double u = mean + deviation * noise;
  const double slope = 1 - std::tanh(u) * std::tanh(u);
  return -0.5 * noise * noise - std::log(deviation * std::sqrt(2 * M_PI)) - std::log(slope);
}

TEST(SquashedNormal, HasTheDensityOfItsDefinition) {
  const std::vector<float> outputs = {0.3F, -1.5F, -0.7F, 0.4F};
  const std::vector<float> noise = {0.8F, -0.2F};
  std::vector<float> action(2);
  const float density = SquashedNormal{outputs, noise}.act(action);
  EXPECT_NEAR(action[0], std::tanh(0.3 + std::exp(-0.7) * 0.8), 1e-6);
  EXPECT_NEAR(action[1], std::tanh(-1.5 - std::exp(0.4) * 0.2), 1e-6);
  EXPECT_NEAR(density, log_density(0.3, -0.7, 0.8) + log_density(-1.5, 0.4, -0.2), 1e-5);
}

TEST(SquashedNormal, HasADensityWhoseIntegralIsOne) {
  // Over a = tanh(u), with u at even steps: the sum of pi(a) da.
  const std::vector<float> outputs = {0.4F, -0.5F};
  const double deviation = std::exp(-0.5);
  double integral = 0, before = -1;
  for (double noise = -8; noise <= 8; noise += 1e-3) {
    const std::vector<float> drawn = {static_cast<float>(noise)};
    std::vector<float> action(1);
    const float density = SquashedNormal{outputs, drawn}.act(action);
    const double a = std::tanh(0.4 + deviation * noise);
    integral += std::exp(density) * (a - before);
    before = a;
  }
  EXPECT_NEAR(integral, 1, 2e-3);
}

TEST(SquashedNormal, StaysFiniteWhereTheSquashSaturates) {
  const std::vector<float> outputs = {50, -50, 2, 2};
  const std::vector<float> noise = {1, -1};
  std::vector<float> action(2), gradient(4);
  const SquashedNormal distribution{outputs, noise};
  EXPECT_TRUE(std::isfinite(distribution.act(action)));
  distribution.backward(action, std::vector<float>{1, 1}, 0.2F, gradient);
  for (const float x : gradient) EXPECT_TRUE(std::isfinite(x));
}

TEST(SquashedNormal, ClampsTheLogarithmOfTheDeviation) {
  const std::vector<float> noise = {1};
  std::vector<float> action(1), gradient(2);
  for (const auto& [raw, clamped] : {std::pair{5.0F, 2.0F}, std::pair{-30.0F, -20.0F}}) {
    const std::vector<float> outputs = {0.1F, raw};
    const SquashedNormal distribution{outputs, noise};
    EXPECT_NEAR(distribution.act(action), log_density(0.1, clamped, 1), 1e-4);
    distribution.backward(action, std::vector<float>{1}, 0.5F, gradient);
    EXPECT_NE(gradient[0], 0);
    EXPECT_EQ(gradient[1], 0) << "beyond its bounds the network's number changes nothing";
  }
}

TEST(SquashedNormal, GradientIsTheDifferenceQuotient) {
  Random random({3}, "squashed");
  const std::vector<float> slopes = {0.7F, -1.3F};  // f(a) = slopes . a
  const float weight = 0.4F;
  for (int draw = 0; draw < 20; ++draw) {
    std::vector<float> outputs(4), noise(2), action(2), gradient(4);
    for (float& x : outputs) x = static_cast<float>(random.uniform(-1.5, 1.5));
    for (float& x : noise) x = static_cast<float>(random.normal());
    const auto value = [&](const std::vector<float>& at) {
      double sum = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        sum += slopes[i] * std::tanh(at[i] + std::exp(static_cast<double>(at[2 + i])) * noise[i]);
        sum += weight * log_density(at[i], at[2 + i], noise[i]);
      }
      return sum;
    };
    const SquashedNormal distribution{outputs, noise};
    distribution.act(action);
    distribution.backward(action, slopes, weight, gradient);
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<float> up = outputs, down = outputs;
      up[i] += 1e-3F;
      down[i] -= 1e-3F;
      const double slope = (value(up) - value(down)) / (up[i] - down[i]);
      EXPECT_NEAR(gradient[i], slope, 2e-3 * std::max(1.0, std::abs(slope))) << draw << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace paretofl
