#include "paretofl/agents/envelope_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/agents/dqn_update.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// One observation, two preferences' weights, one hidden layer; two actions with two values each.
const DenseShape kEnvelopeShape{.widths = {3, 7, 4}};

std::vector<float> envelope_parameters(std::uint64_t seed) {
  std::vector<float> theta(kEnvelopeShape.num_parameters());
  Random random({seed}, "envelope");
  for (float& x : theta) x = static_cast<float>(random.uniform(-0.7, 0.7));
  return theta;
}

TransitionBatch two_transitions() {
  return {.size = 2,
          .observations = {0.5F, -1},
          .actions = {1, 0},
          .rewards = {1, -2, 0.25F, 3},
          .next_observations = {-1, 2},
          .continues = {1, 1}};
}

const std::vector<float> kPreferences = {1, 0, 0.25F, 0.75F};

/// Q(s, a, w) by the network itself.
std::vector<double> value(std::span<const float> theta, float observation, std::span<const float> weights, std::size_t action) {
  DenseNet network(kEnvelopeShape);
  const std::vector<float> input = {observation, weights[0], weights[1]};
  const auto values = network.forward(theta, input, 1);
  return {values[2 * action], values[2 * action + 1]};
}

/// The loss as the paper has it, term by term.
double loss_of(std::span<const float> theta, std::span<const float> target, const TransitionBatch& batch, double gamma, double homotopy) {
  double loss = 0;
  for (std::size_t i = 0; i < batch.size; ++i) {
    for (std::size_t w = 0; w < 2; ++w) {
      const std::span<const float> weights = std::span(kPreferences).subspan(2 * w, 2);
      std::vector<double> best;
      double largest = -1e300;
      for (std::size_t v = 0; v < 2; ++v) {
        for (std::size_t b = 0; b < 2; ++b) {
          const auto q = value(target, batch.next_observations[i], std::span(kPreferences).subspan(2 * v, 2), b);
          const double weighted = weights[0] * q[0] + weights[1] * q[1];
          if (weighted <= largest) continue;
          largest = weighted;
          best = q;
        }
      }
      const auto q = value(theta, batch.observations[i], weights, static_cast<std::size_t>(batch.actions[i]));
      double weighted = 0;
      for (std::size_t k = 0; k < 2; ++k) {
        const double error = batch.rewards[2 * i + k] + batch.continues[i] * gamma * best[k] - q[k];
        loss += (1 - homotopy) * error * error / 4;
        weighted += weights[k] * error;
      }
      loss += homotopy * std::abs(weighted) / 4;
    }
  }
  return loss;
}

class EnvelopeLoss : public testing::TestWithParam<double> {};

TEST_P(EnvelopeLoss, IsThePapersAndItsGradientTheDifferenceQuotients) {
  const double homotopy = GetParam();
  const std::vector<float> target = envelope_parameters(2);
  const std::vector<float> start = envelope_parameters(1);
  TransitionBatch batch = two_transitions();
  batch.continues[1] = 0;
  EnvelopeUpdate update(kEnvelopeShape, 2, {.gamma = 0.9, .max_norm = 1e9, .rate = 1e-3});
  std::vector<float> theta = start;
  EXPECT_NEAR(update.step(theta, target, batch, kPreferences, homotopy, {}), loss_of(start, target, batch, 0.9, homotopy), 1e-5);
  const Record adam = update.save();
  const auto first_moment = adam.array("first").floats();  // a tenth of the gradient
  int other_than_zero = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    std::vector<float> up = start, down = start;
    up[i] += 2e-3F;
    down[i] -= 2e-3F;
    const double slope = (loss_of(up, target, batch, 0.9, homotopy) - loss_of(down, target, batch, 0.9, homotopy)) / (up[i] - down[i]);
    EXPECT_NEAR(10 * first_moment[i], slope, 3e-3 * std::max(1.0, std::abs(slope))) << i;
    other_than_zero += std::abs(slope) > 0.02 ? 1 : 0;
  }
  EXPECT_GT(other_than_zero, 20);
}

INSTANTIATE_TEST_SUITE_P(Homotopy, EnvelopeLoss, testing::Values(0.0, 0.4, 1.0));

TEST(EnvelopeUpdate, TakesTheBootstrapOfAnotherPreferenceWhereThatIsBetter) {
  // Q_target(s', b, v) = 10 v for both actions: for w = (1, 0) the value of v = (1, 0) is best, 10; with (0.25, 0.75) alone it would
  // be 2.5.
  const DenseShape linear{.widths = {3, 4}};
  std::vector<float> target(linear.num_parameters());
  for (const std::size_t output : {0U, 2U}) target[output * 3 + 1] = 10;
  for (const std::size_t output : {1U, 3U}) target[output * 3 + 2] = 10;
  const TransitionBatch batch{
      .size = 1, .observations = {0}, .actions = {0}, .rewards = {0, 0}, .next_observations = {0}, .continues = {1}};
  const auto loss = [&](const std::vector<float>& preferences) {
    EnvelopeUpdate update(linear, 2, {.gamma = 1, .max_norm = 10, .rate = 1e-3});
    std::vector<float> theta(linear.num_parameters());  // Q = 0
    return update.step(theta, target, batch, preferences, 1, {});
  };
  EXPECT_NEAR(loss({0.25F, 0.75F}), 0.25 * 2.5 + 0.75 * 7.5, 1e-5);
  // Of (0.25, 0.75): (1, 0) gives 2.5, its own 6.25, (0, 1) 7.5. Of (0, 1): 10. Of (1, 0): 10.
  EXPECT_NEAR(loss({0.25F, 0.75F, 0, 1, 1, 0}), (7.5 + 10 + 10) / 3, 1e-5);
}

TEST(EnvelopeUpdate, OfOneObjectiveAndOnePreferenceHasTheTargetsOfDqn) {
  const DenseShape both{.widths = {2, 6, 3}};  // an observation and the weight 1
  const DenseShape plain{.widths = {1, 6, 3}};
  std::vector<float> theta(both.num_parameters());
  Random random({3}, "theta");
  for (float& x : theta) x = static_cast<float>(random.uniform(-0.5, 0.5));
  std::vector<float> folded;  // the weight 1 is a part of the first bias
  for (std::size_t h = 0; h < 6; ++h) folded.push_back(theta[2 * h]);
  for (std::size_t h = 0; h < 6; ++h) folded.push_back(theta[12 + h] + theta[2 * h + 1]);
  folded.insert(folded.end(), theta.begin() + 18, theta.end());
  const TransitionBatch batch{.size = 2,
                              .observations = {0.3F, -0.4F},
                              .actions = {2, 0},
                              .rewards = {0.2F, -0.1F},
                              .next_observations = {1, 0.7F},
                              .continues = {1, 0}};
  EnvelopeUpdate envelope(both, 1, {.gamma = 0.9});
  DqnUpdate dqn(plain, {.gamma = 0.9});
  std::vector<float> a = theta, b = folded;
  const std::vector<float> one = {1};
  // |e|^2 is twice the smooth L1 loss where |e| < 1.
  EXPECT_NEAR(envelope.step(a, theta, batch, one, 0, {}), 2 * dqn.step(b, folded, batch, {}), 1e-6);
}

TEST(EnvelopeUpdate, RefusesALossThatIsNotFinite) {
  TransitionBatch batch = two_transitions();
  batch.rewards[2] = std::numeric_limits<float>::infinity();
  EnvelopeUpdate update(kEnvelopeShape, 2, {});
  std::vector<float> theta = envelope_parameters(1);
  EXPECT_THROW(update.step(theta, theta, batch, kPreferences, 0.5, {}), Error);
}

}  // namespace
}  // namespace paretofl
