#include "paretofl/agents/capql_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/agents/squashed_normal.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Two numbers of observation, one of action, two objectives.
const CapqlShape kCapqlShape{.critic = {.widths = {5, 6, 2}}, .actor = {.widths = {4, 7, 2}}};

std::vector<float> capql_numbers(std::size_t count, std::uint64_t seed, double bound = 0.7) {
  std::vector<float> numbers(count);
  Random random({seed}, "capql");
  for (float& x : numbers) x = static_cast<float>(random.uniform(-bound, bound));
  return numbers;
}

TransitionBatch capql_transitions() {
  return {.size = 3,
          .observations = {0.5F, -1, 0.2F, 0.3F, -0.6F, 1},
          .actions = {0.1F, -0.8F, 0.6F},
          .rewards = {1, -2, 0.25F, 3, -0.5F, 0.75F},
          .next_observations = {-1, 2, 0.4F, -0.3F, 0.9F, 0.1F},
          .continues = {1, 0, 1}};
}

const CapqlDraws kCapqlDraws{
    .preferences = {1, 0, 0.25F, 0.75F, 0.6F, 0.4F}, .next_noise = {0.3F, -1.2F, 0.7F}, .noise = {-0.4F, 0.9F, 1.1F}};

struct DrawnAction {
  float action = 0;
  float density = 0;
};

DrawnAction drawn_by(std::span<const float> theta, std::span<const float> observation, std::span<const float> weights, float noise) {
  DenseNet actor(kCapqlShape.actor);
  const std::vector<float> input = {observation[0], observation[1], weights[0], weights[1]};
  DrawnAction drawn;
  const auto outputs = actor.forward(kCapqlShape.actor_of(theta), input, 1);
  drawn.density = SquashedNormal{outputs, {&noise, 1}}.act({&drawn.action, 1});
  return drawn;
}

std::vector<float> value_by(std::span<const float> critics, std::size_t j, std::span<const float> observation, float action,
                            std::span<const float> weights) {
  DenseNet critic(kCapqlShape.critic);
  const std::vector<float> input = {observation[0], observation[1], action, weights[0], weights[1]};
  const auto values = critic.forward(kCapqlShape.critic_of(critics, j), input, 1);
  return {values.begin(), values.end()};
}

/// The losses as the method has them, term by term; `theta` draws the next actions.
double critic_loss(std::span<const float> critics, std::span<const float> theta, std::span<const float> targets,
                   const TransitionBatch& batch, double gamma, double alpha) {
  double loss = 0;
  for (std::size_t i = 0; i < batch.size; ++i) {
    const auto weights = std::span(kCapqlDraws.preferences).subspan(2 * i, 2);
    const auto next = std::span(batch.next_observations).subspan(2 * i, 2);
    const DrawnAction drawn = drawn_by(theta, next, weights, kCapqlDraws.next_noise[i]);
    const auto first = value_by(targets, 0, next, drawn.action, weights);
    const auto second = value_by(targets, 1, next, drawn.action, weights);
    for (std::size_t k = 0; k < 2; ++k) {
      const double augmented = std::min(first[k], second[k]) - alpha * drawn.density;
      const double target = batch.rewards[2 * i + k] + batch.continues[i] * gamma * augmented;
      for (std::size_t j = 0; j < 2; ++j) {
        const auto q = value_by(critics, j, std::span(batch.observations).subspan(2 * i, 2), batch.actions[i], weights);
        loss += (q[k] - target) * (q[k] - target) / static_cast<double>(2 * batch.size * 2);
      }
    }
  }
  return loss;
}

double actor_loss(std::span<const float> theta, std::span<const float> critics, const TransitionBatch& batch, double alpha) {
  double loss = 0;
  for (std::size_t i = 0; i < batch.size; ++i) {
    const auto weights = std::span(kCapqlDraws.preferences).subspan(2 * i, 2);
    const auto observation = std::span(batch.observations).subspan(2 * i, 2);
    const DrawnAction drawn = drawn_by(theta, observation, weights, kCapqlDraws.noise[i]);
    const auto first = value_by(critics, 0, observation, drawn.action, weights);
    const auto second = value_by(critics, 1, observation, drawn.action, weights);
    double worth = 0;
    for (std::size_t k = 0; k < 2; ++k) worth += weights[k] * std::min(first[k], second[k]);
    loss += (alpha * drawn.density - worth) / static_cast<double>(batch.size);
  }
  return loss;
}

/// Expects that Adam's first moments, a tenth of the gradient after one step, are the slopes of the loss at `start`.
template <class Loss>
void expect_slopes(const Record& adam, std::span<const float> start, const Loss& loss) {
  const auto first_moment = adam.array("first").floats();
  ASSERT_EQ(first_moment.size(), start.size());
  int other_than_zero = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::vector<float> up(start.begin(), start.end()), down = up;
    up[i] += 2e-3F;
    down[i] -= 2e-3F;
    const double slope = (loss(up) - loss(down)) / (up[i] - down[i]);
    EXPECT_NEAR(10 * first_moment[i], slope, 3e-3 * std::max(1.0, std::abs(slope))) << i;
    other_than_zero += std::abs(slope) > 0.01 ? 1 : 0;
  }
  EXPECT_GT(other_than_zero, 15);
}

TEST(CapqlUpdate, LossesAreThoseOfTheMethodAndGradientsTheDifferenceQuotients) {
  const std::vector<float> start = capql_numbers(kCapqlShape.num_parameters(), 8);
  const std::vector<float> targets = capql_numbers(kCapqlShape.critic_parameters(), 2);
  const TransitionBatch batch = capql_transitions();
  CapqlUpdate update(kCapqlShape, {.gamma = 0.9, .tau = 0.25, .alpha = 0.3, .rate = 1e-3});
  std::vector<float> theta = start;
  std::vector<float> moved = targets;
  const CapqlLosses losses = update.step(theta, moved, batch, kCapqlDraws, {});

  const auto critics = std::span<const float>(start).first(kCapqlShape.critic_parameters());
  const auto of_critics = [&](std::span<const float> at) { return critic_loss(at, start, targets, batch, 0.9, 0.3); };
  EXPECT_NEAR(losses.critic, of_critics(critics), 1e-5);
  expect_slopes(update.save().record("critic_adam"), critics, of_critics);

  const auto new_critics = std::span<const float>(theta).first(kCapqlShape.critic_parameters());
  const auto of_actor = [&](std::span<const float> at) {
    std::vector<float> both(new_critics.begin(), new_critics.end());
    both.insert(both.end(), at.begin(), at.end());
    return actor_loss(both, new_critics, batch, 0.3);
  };
  const auto actor = kCapqlShape.actor_of(std::span<const float>(start));
  EXPECT_NEAR(losses.actor, of_actor(actor), 1e-5);
  expect_slopes(update.save().record("actor_adam"), actor, of_actor);

  for (std::size_t i = 0; i < targets.size(); ++i) EXPECT_NEAR(moved[i], 0.75F * targets[i] + 0.25F * theta[i], 1e-6);
  EXPECT_THAT(theta, testing::Not(testing::ElementsAreArray(start)));
}

TEST(CapqlUpdate, BothCriticsHaveAPartInTheMinimum) {
  // What the comparison above relies on: each critic is the smaller one somewhere.
  const std::vector<float> start = capql_numbers(kCapqlShape.num_parameters(), 8);
  const TransitionBatch batch = capql_transitions();
  int first_smaller = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto weights = std::span(kCapqlDraws.preferences).subspan(2 * i, 2);
    const auto observation = std::span(batch.observations).subspan(2 * i, 2);
    const float action = drawn_by(start, observation, weights, kCapqlDraws.noise[i]).action;
    for (std::size_t k = 0; k < 2; ++k) {
      first_smaller += value_by(start, 0, observation, action, weights)[k] < value_by(start, 1, observation, action, weights)[k] ? 1 : 0;
    }
  }
  EXPECT_GT(first_smaller, 0);
  EXPECT_LT(first_smaller, 6);
}

TEST(CapqlUpdate, TheProximalTermPullsEveryNetwork) {
  const std::vector<float> start = capql_numbers(kCapqlShape.num_parameters(), 8);
  std::vector<float> away = start;
  for (float& x : away) x += 0.5F;
  const auto stepped = [&](double mu) {
    std::vector<float> theta = start;
    std::vector<float> targets = capql_numbers(kCapqlShape.critic_parameters(), 2);
    CapqlUpdate update(kCapqlShape, {});
    update.step(theta, targets, capql_transitions(), kCapqlDraws, {.mu = mu, .start = away});
    return update.save();
  };
  for (const std::string network : {"critic_adam", "actor_adam"}) {
    const Record without_pull = stepped(0), with_pull = stepped(2);
    const auto without = without_pull.record(network).array("first").floats();
    const auto with = with_pull.record(network).array("first").floats();
    // 0.1 mu (theta - start) in the first moment. The new critics differ a little, and so do the actor's slopes.
    for (std::size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(with[i] - without[i], -0.1, 2e-3) << network << ' ' << i;
  }
}

/// One state, two rewards -(a - 0.5)^2 and -(a + 0.5)^2, no future: the best action under (w, 1 - w) is w - 0.5.
TEST(CapqlUpdate, FindsTheBestActionOfEveryPreference) {
  const CapqlShape shape{.critic = {.widths = {4, 32, 32, 2}}, .actor = {.widths = {3, 32, 2}}};
  std::vector<float> theta = capql_numbers(shape.num_parameters(), 4, 0.3);
  std::vector<float> targets(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(shape.critic_parameters()));
  CapqlUpdate update(shape, {.alpha = 0.01, .rate = 3e-3});
  Random random({5}, "test");
  constexpr std::size_t kBatch = 64;
  TransitionBatch batch{.size = kBatch,
                        .observations = std::vector<float>(kBatch, 1),
                        .actions = std::vector<float>(kBatch),
                        .rewards = std::vector<float>(2 * kBatch),
                        .next_observations = std::vector<float>(kBatch, 1),
                        .continues = std::vector<float>(kBatch, 0)};
  CapqlDraws draws{.preferences = std::vector<float>(2 * kBatch), .next_noise = std::vector<float>(kBatch), .noise = {}};
  draws.noise.resize(kBatch);
  for (int step = 0; step < 2000; ++step) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      const auto a = static_cast<float>(random.uniform(-1, 1));
      const auto w = static_cast<float>(random.uniform());
      batch.actions[i] = a;
      batch.rewards[2 * i] = -(a - 0.5F) * (a - 0.5F);
      batch.rewards[2 * i + 1] = -(a + 0.5F) * (a + 0.5F);
      draws.preferences[2 * i] = w;
      draws.preferences[2 * i + 1] = 1 - w;
      draws.next_noise[i] = static_cast<float>(random.normal());
      draws.noise[i] = static_cast<float>(random.normal());
    }
    update.step(theta, targets, batch, draws, {});
  }
  DenseNet actor(shape.actor);
  for (const float w : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F}) {
    const auto outputs = actor.forward(shape.actor_of(std::span<const float>(theta)), std::vector<float>{1, w, 1 - w}, 1);
    EXPECT_NEAR(std::tanh(outputs[0]), w - 0.5F, 0.15) << w;
  }
}

TEST(CapqlUpdate, LargerWeightsOfTheEntropyMakeActionsMoreRandom) {
  const auto log_deviation = [](double alpha) {
    std::vector<float> theta = capql_numbers(kCapqlShape.num_parameters(), 8);
    std::vector<float> targets(kCapqlShape.critic_parameters());
    CapqlUpdate update(kCapqlShape, {.alpha = alpha, .rate = 1e-2});
    TransitionBatch batch = capql_transitions();
    batch.continues = {0, 0, 0};
    for (int step = 0; step < 100; ++step) update.step(theta, targets, batch, kCapqlDraws, {});
    DenseNet actor(kCapqlShape.actor);
    const std::vector<float> input = {0.5F, -1, 1, 0};
    return actor.forward(kCapqlShape.actor_of(std::span<const float>(theta)), input, 1)[1];
  };
  EXPECT_GT(log_deviation(2), log_deviation(0));
}

TEST(CapqlUpdate, AnInfiniteRewardIsAnError) {
  std::vector<float> theta = capql_numbers(kCapqlShape.num_parameters(), 8);
  std::vector<float> targets = capql_numbers(kCapqlShape.critic_parameters(), 2);
  TransitionBatch batch = capql_transitions();
  batch.rewards[3] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(CapqlUpdate(kCapqlShape, {}).step(theta, targets, batch, kCapqlDraws, {}), Error);
}

}  // namespace
}  // namespace paretofl
