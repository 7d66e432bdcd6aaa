#include "paretofl/local/parameter_training.h"

#include <gmock/gmock.h>

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Example i's loss is weight(i) |theta - target(i)|^2 / 2; theta is a matrix of two numbers and a vector of one.
class Squares : public TrainingLoss {
 public:
  explicit Squares(std::size_t examples, double spread = 1) : examples_(examples), spread_(spread) {}

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  std::size_t examples() const override { return examples_; }
  double weight(std::size_t example) const override { return example % 2 == 0 ? 1 : 3; }
  double sum(std::span<const std::size_t> examples, std::span<const float> theta, std::span<float> gradient) const override {
    double loss = 0;
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (const std::size_t i : examples) {
      for (std::size_t j = 0; j < theta.size(); ++j) {
        const double away = theta[j] - target(i, j);
        loss += weight(i) * away * away / 2;
        gradient[j] += static_cast<float>(weight(i) * away);
      }
    }
    return loss;
  }
  double target(std::size_t example, std::size_t j) const { return static_cast<double>(j) + spread_ * (example % 2 == 0 ? -1 : 1); }

 private:
  std::shared_ptr<const Layout> layout_ = std::make_shared<const Layout>(
      std::vector<Slice>{{.name = "matrix", .shape = {1, 2}, .range = {}}, {.name = "vector", .shape = {1}, .range = {}}});
  std::size_t examples_;
  double spread_;
};

TrainingOptions many_steps() {
  return {.epochs = 1000, .batch = 10, .part = 3, .learning_rate = 0.05, .final_rate = 0.01, .weight_decay = 0, .clip = 0};
}

std::vector<float> trained(const TrainingLoss& loss, const TrainingOptions& options, std::size_t threads = 1, std::uint64_t seed = 1) {
  ThreadPool pool(threads);
  ParameterTraining training(options, loss, seed, pool, std::vector<float>(3, 5));
  while (training.steps_done() < training.steps()) training.advance();
  return {training.theta().begin(), training.theta().end()};
}

TEST(ParameterTraining, EndsAtTheWeightedMeansMinimum) {
  const std::vector<float> theta = trained(Squares(10), many_steps());
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(theta[j], static_cast<double>(j) + 0.5, 0.02) << j;  // weights 1 and 3 of -1 and 1
}

TEST(ParameterTraining, OnlyMatricesDecay) {
  TrainingOptions options = many_steps();
  options.weight_decay = 1;
  const std::vector<float> theta = trained(Squares(10), options);
  EXPECT_LT(theta[1], 1.4);
  EXPECT_NEAR(theta[2], 2.5, 0.02);
}

TEST(ParameterTraining, TheRateRisesAndFallsToItsEnd) {
  // With one example far away, Adam's first step is the rate itself whatever the gradient.
  TrainingOptions options = {
      .epochs = 10, .batch = 1, .learning_rate = 0.5, .final_rate = 0.1, .warm_up = 0.2, .weight_decay = 0, .clip = 0};
  const Squares loss(1, 1e6);
  ThreadPool pool(1);
  ParameterTraining training(options, loss, 1, pool, std::vector<float>(3));
  std::vector<double> steps;
  while (training.steps_done() < training.steps()) {
    const float before = training.theta()[0];
    training.advance();
    steps.push_back(before - training.theta()[0]);
  }
  ASSERT_EQ(steps.size(), 10U);
  EXPECT_NEAR(steps[0], 0.25, 1e-3);
  EXPECT_NEAR(steps[1], 0.5, 1e-2);
  for (std::size_t i = 2; i < 10; ++i) EXPECT_LT(steps[i], steps[i - 1]);
  EXPECT_NEAR(steps[9], 0.05, 1e-2);
}

TEST(ParameterTraining, ThreadsDoNotChangeABit) {
  EXPECT_EQ(trained(Squares(23), many_steps(), 1), trained(Squares(23), many_steps(), 3));
  EXPECT_NE(trained(Squares(23), many_steps(), 1, 1), trained(Squares(23), many_steps(), 1, 2));
}

TEST(ParameterTraining, GoesOnFromASavedStateWithTheSameBits) {
  const Squares loss(23);
  const TrainingOptions options = {.epochs = 3, .batch = 4};
  ThreadPool pool(1);
  ParameterTraining whole(options, loss, 1, pool, std::vector<float>(3)), first(options, loss, 1, pool, std::vector<float>(3));
  for (int i = 0; i < 7; ++i) first.advance();
  const Record state = first.save();
  ParameterTraining second(options, loss, 1, pool, std::vector<float>(3, 9));
  second.load(state);
  EXPECT_EQ(second.steps_done(), 7);
  while (whole.steps_done() < whole.steps()) whole.advance();
  while (second.steps_done() < second.steps()) second.advance();
  EXPECT_EQ(second.save(), whole.save());

  Record damaged = state;
  damaged.scalars["steps"] = 19;  // of 18
  EXPECT_THROW(second.load(damaged), Error);
  damaged.scalars["steps"] = -1;
  EXPECT_THROW(second.load(damaged), Error);
}

TEST(ParameterTraining, AGradientIsClippedToItsLargestNorm) {
  // Adam forgets a gradient's size, but not its relation to the next one: with clipping two steps are alike.
  const auto second_step = [](double clip) {
    const Squares loss(1, 100);
    ThreadPool pool(1);
    ParameterTraining training(
        {.epochs = 2, .batch = 1, .learning_rate = 50, .final_rate = 1, .warm_up = 0, .weight_decay = 0, .clip = clip}, loss, 1, pool,
        std::vector<float>(3));
    training.advance();
    const float before = training.theta()[0];
    training.advance();
    return std::abs(training.theta()[0] - before);
  };
  EXPECT_LT(second_step(0), 48);
  EXPECT_NEAR(second_step(1e-3), 50, 1);
}

TEST(ParameterTraining, RefusesNothingToTrainOnAndNumbersThatRanAway) {
  ThreadPool pool(1);
  const Squares none(0), one(1, INFINITY);
  EXPECT_THROW(ParameterTraining({}, none, 1, pool, std::vector<float>(3)), Error);
  EXPECT_THROW(ParameterTraining({}, one, 1, pool, std::vector<float>(2)), Error);
  ParameterTraining training({}, one, 1, pool, std::vector<float>(3));
  EXPECT_THROW(training.advance(), Error);
}

}  // namespace
}  // namespace paretofl
