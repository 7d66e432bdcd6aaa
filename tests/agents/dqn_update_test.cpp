#include "paretofl/agents/dqn_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/agents/sb3_trace.h"

namespace paretofl {
namespace {

class RecordedDqn : public testing::TestWithParam<std::string> {};

TEST_P(RecordedDqn, TakesTheStepsOfStableBaselines) {
  PARETOFL_NEEDS_DATA("../golden/sb3_updates.json.gz");
  const Sb3Trace trace(GetParam());
  const DenseShape shape = Sb3Trace::shape(trace.initial()["q_net"]);
  DqnUpdate update(shape, {.gamma = trace.hyper()["gamma"], .max_norm = trace.hyper()["max_grad_norm"], .rate = trace.hyper()["lr"]});
  std::vector<float> theta = Sb3Trace::parameters(trace.initial()["q_net"]);
  const std::vector<float> target = Sb3Trace::parameters(trace.initial()["q_net_target"]);
  EXPECT_EQ(trace.after().size(), 5U);
  for (std::size_t i = 0; i < trace.after().size(); ++i) {
    EXPECT_NEAR(update.step(theta, target, trace.batch(i), {}), trace.after()[i]["loss"]["train/loss"].get<double>(), 1e-5);
    EXPECT_THAT(theta, testing::Pointwise(testing::FloatNear(1e-5F), Sb3Trace::parameters(trace.after()[i]["params"]["q_net"]))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RecordedDqn, testing::Values("dqn", "dqn_clipped"), [](const auto& info) { return info.param; });

TransitionBatch three_transitions() {
  ReplayBuffer buffer(3, 2, 1);
  const std::vector<std::vector<double>> states = {{0, 1}, {2, 1}, {0, 1}, {1, 1}};
  for (std::size_t i = 0; i < 3; ++i) {
    const double action = i == 0 ? 0 : 1;
    const double reward = 0.3;
    buffer.add({.observation = states[i],
                .action = {&action, 1},
                .reward = {&reward, 1},
                .next_observation = states[i + 1],
                .terminated = i == 2});
  }
  TransitionBatch batch;
  buffer.take(std::vector<std::size_t>{0, 1, 2}, batch);
  return batch;
}

const DenseShape kShape{.widths = {2, 5, 2}};

std::vector<float> some_parameters() {
  std::vector<float> theta(kShape.num_parameters());
  Random random({1}, "test");
  for (float& x : theta) x = static_cast<float>(random.uniform(-0.5, 0.5));
  return theta;
}

TEST(DqnUpdate, ARowThatOccursTwiceCountsTwice) {
  TransitionBatch twice = three_transitions();
  TransitionBatch apart = twice;
  apart.observations[4] += 1e-6F;  // the third transition's observation is the first's no more
  DqnUpdate first(kShape, {.rate = 0.01});
  DqnUpdate second(kShape, {.rate = 0.01});
  std::vector<float> a = some_parameters();
  std::vector<float> b = a;
  EXPECT_NEAR(first.step(a, some_parameters(), twice, {}), second.step(b, some_parameters(), apart, {}), 1e-5);
  EXPECT_THAT(a, testing::Pointwise(testing::FloatNear(1e-4F), b));
}

TEST(DqnUpdate, FitsTheTargets) {
  DqnUpdate update(kShape, {.gamma = 0.9, .rate = 0.01});
  std::vector<float> theta = some_parameters();
  const std::vector<float> target = theta;
  const double before = update.step(theta, target, three_transitions(), {});
  double after = before;
  for (int i = 0; i < 300; ++i) after = update.step(theta, target, three_transitions(), {});
  EXPECT_LT(after, 0.01 * before);
}

TEST(DqnUpdate, AProximalTermKeepsItNearItsStart) {
  const auto distance = [](double mu) {
    const std::vector<float> start = some_parameters();
    std::vector<float> theta = start;
    DqnUpdate update(kShape, {.rate = 0.01});
    for (int i = 0; i < 100; ++i) update.step(theta, start, three_transitions(), {.mu = mu, .start = start});
    double sum = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) sum += (theta[i] - start[i]) * (theta[i] - start[i]);
    return std::sqrt(sum);
  };
  EXPECT_LT(distance(10), 0.5 * distance(0));
}

TEST(DqnUpdate, AProximalTermIsClippedWithTheGradient) {
  const DqnUpdate::Options options{.max_norm = 0.2, .rate = 0.01};
  const std::vector<float> target = some_parameters();
  const TransitionBatch batch = three_transitions();
  std::vector<float> theta = some_parameters();
  std::vector<float> start = theta;
  for (std::size_t i = 0; i < start.size(); ++i) start[i] += i % 2 == 0 ? 0.1F : -0.2F;
  const ProximalTerm proximal{.mu = 0.4, .start = start};

  // The loss's gradient by differences, with mu (theta - start) added, is scaled down to the norm; then Adam.
  const auto loss = [&](std::vector<float> at) { return DqnUpdate(kShape, options).step(at, target, batch, {}); };
  std::vector<float> expected = theta;
  Adam adam(theta.size(), options.rate);
  DqnUpdate update(kShape, options);
  for (int step = 0; step < 3; ++step) {
    std::vector<float> gradient(theta.size());
    double squares = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      std::vector<float> above = expected;
      std::vector<float> below = expected;
      above[i] += 1e-2F;
      below[i] -= 1e-2F;
      gradient[i] = static_cast<float>((loss(above) - loss(below)) / 2e-2 + 0.4 * (expected[i] - start[i]));
      squares += gradient[i] * gradient[i];
    }
    const double scale = options.max_norm / std::sqrt(squares);
    EXPECT_LT(scale, 0.9) << "clipped";
    for (float& g : gradient) g *= static_cast<float>(scale);
    adam.step(gradient, expected);
    update.step(theta, target, batch, proximal);
  }
  EXPECT_THAT(theta, testing::Pointwise(testing::FloatNear(2e-4F), expected));
}

TEST(DqnUpdate, AnInfiniteRewardIsAnError) {
  TransitionBatch batch = three_transitions();
  batch.rewards[1] = std::numeric_limits<float>::infinity();
  std::vector<float> theta = some_parameters();
  EXPECT_THROW(DqnUpdate(kShape, {}).step(theta, theta, batch, {}), Error);
}

}  // namespace
}  // namespace paretofl
