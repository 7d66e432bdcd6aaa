#include "paretofl/models/conv_net.h"

#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "tests/models/random_batch.h"

namespace paretofl {
namespace {

TEST(ConvNet, HasThePapersNumberOfParameters) {
  for (int objectives = 1; objectives <= 4; ++objectives) {
    const ConvNet model(kLenet, std::vector<Head>(static_cast<std::size_t>(objectives)));
    EXPECT_EQ(model.num_objectives(), objectives);
    EXPECT_EQ(model.layout()->shared().size(), 28515U);
    EXPECT_EQ(model.layout()->size(), 28515U + 3060U * static_cast<unsigned>(objectives));
    EXPECT_EQ(model.layout()->head(objectives - 1).size(), 3060U);
  }
}

TEST(ConvNet, SmallCnnHasOneLayerPerHead) {
  const ConvNet model(kSmallCnn, std::vector<Head>(40, {.outputs = 2, .loss = Loss::kNll}));
  EXPECT_EQ(model.layout()->shared().size(), 151600U);
  EXPECT_EQ(model.layout()->size(), 151600U + 40U * 202);
  EXPECT_EQ(model.layout()->slice("head39.fc.weight").shape, (std::vector<std::int64_t>{2, 100}));
}

TEST(ConvNet, RefusesHeadsItCannotHave) {
  for (const Head head : {Head{9, Loss::kBinary}, Head{0, Loss::kNll}, Head{257, Loss::kNll}, Head{1, Loss::kSquaredError}}) {
    EXPECT_THROW(ConvNet(kLenet, {head}), Error);
  }
  EXPECT_NO_THROW(ConvNet(kLenet, {{.outputs = 10, .loss = Loss::kNll}, {.outputs = 3, .loss = Loss::kBinary}}));
}

TEST(ConvNet, LaysSlicesOutAsPyTorchDoes) {
  const ConvNet model(kLenet, std::vector<Head>(2));
  EXPECT_EQ(model.layout()->slice("encoder.conv1.weight").shape, (std::vector<std::int64_t>{10, 1, 3, 3}));
  EXPECT_EQ(model.layout()->slice("encoder.conv2.weight").shape, (std::vector<std::int64_t>{15, 10, 3, 3}));
  EXPECT_EQ(model.layout()->slice("encoder.fc.weight").shape, (std::vector<std::int64_t>{50, 540}));
  EXPECT_EQ(model.layout()->slice("head1.fc2.weight").shape, (std::vector<std::int64_t>{10, 50}));
  EXPECT_EQ(model.layout()->slice("head1.fc2.bias").shape, (std::vector<std::int64_t>{10}));
}

// Kaiming-uniform with a = sqrt(5): every slice fills (-1/sqrt(fan_in), 1/sqrt(fan_in)).
TEST(ConvNet, InitializesWithinTheFanInBound) {
  const ConvNet model(kLenet, std::vector<Head>(2));
  const std::vector<float> parameters = initial_parameters(model);
  const auto largest = [&](const char* name) {
    const Range range = model.layout()->slice(name).range;
    float value = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) value = std::max(value, std::abs(parameters[i]));
    return value;
  };
  const auto expect_filled = [](float found, double fan_in, double share) {
    EXPECT_LE(found, 1 / std::sqrt(fan_in));
    EXPECT_GE(found, share / std::sqrt(fan_in));
  };
  expect_filled(largest("encoder.conv1.weight"), 9, 0.9);
  expect_filled(largest("encoder.conv2.weight"), 90, 0.99);
  expect_filled(largest("encoder.fc.weight"), 540, 0.999);
  expect_filled(largest("encoder.fc.bias"), 540, 0.9);
  expect_filled(largest("head0.fc1.weight"), 50, 0.99);
  expect_filled(largest("head1.fc2.bias"), 50, 0.5);
}

TEST(ConvNet, InitialHeadsDifferAndDoNotDependOnTheirNumber) {
  const ConvNet two(kLenet, std::vector<Head>(2));
  const ConvNet three(kLenet, std::vector<Head>(3));
  const std::vector<float> a = initial_parameters(two);
  const std::vector<float> b = initial_parameters(three);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  EXPECT_FALSE(std::equal(a.begin() + 28515, a.begin() + 28515 + 3060, a.begin() + 28515 + 3060));
}

// Whatever lane and group a sample lands in, and whoever is beside it, its loss is the same. Only the
// order of the sum in double precision differs.
TEST(ConvNet, SamplesDoNotMeet) {
  constexpr std::size_t kSamples = 37;
  ConvNet model(kLenet, std::vector<Head>(2));
  const std::vector<float> parameters = initial_parameters(model);
  RandomBatch batch(kSamples, std::vector<Head>(2));
  double sum0 = 0;
  double sum1 = 0;
  for (std::size_t n = 0; n < kSamples; ++n) {
    const std::vector<std::uint8_t> labels = {batch.labels()[n], batch.labels()[kSamples + n]};
    const Batch one{.size = 1, .inputs = std::span(batch.inputs()).subspan(n * 784, 784), .labels = labels};
    std::vector<double> losses(2);
    std::vector<double> correct(2);
    model.evaluate(parameters, one, losses, correct);
    sum0 += losses[0];
    sum1 += losses[1];
  }
  std::vector<double> together(2);
  std::vector<double> correct(2);
  model.evaluate(parameters, batch.view(), together, correct);
  EXPECT_NEAR(together[0], sum0, 1e-13 * sum0);
  EXPECT_NEAR(together[1], sum1, 1e-13 * sum1);
}

}  // namespace
}  // namespace paretofl
