#include "paretofl/models/softmax_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace paretofl {
namespace {

constexpr std::size_t kClasses = 10;

// Logits that differ from lane to lane, around `offset`.
std::vector<Lanes> logits(float offset) {
  std::vector<Lanes> list(kClasses);
  for (std::size_t c = 0; c < kClasses; ++c) {
    for (std::size_t n = 0; n < kLanes; ++n) list[c][n] = offset + static_cast<float>((c * 7 + n * 3) % 11) * 20;
  }
  return list;
}

TEST(SoftmaxLoss, LogProbabilitiesAreThoseOfDoublePrecisionAtAnyOffset) {
  for (const float offset : {0.0F, 1000.0F, -1000.0F}) {
    const std::vector<Lanes> before = logits(offset);
    std::vector<Lanes> after = before;
    log_softmax(after);
    for (std::size_t n = 0; n < kLanes; ++n) {
      double sum = 0;
      for (std::size_t c = 0; c < kClasses; ++c) sum += std::exp(static_cast<double>(before[c][n]) - static_cast<double>(offset));
      for (std::size_t c = 0; c < kClasses; ++c) {
        EXPECT_NEAR(after[c][n], static_cast<double>(before[c][n]) - static_cast<double>(offset) - std::log(sum), 3e-5);
      }
    }
  }
}

TEST(SoftmaxLoss, LanesWithoutALabelCountForNothing) {
  std::vector<Lanes> values = logits(0);
  log_softmax(values);
  const std::vector<std::uint8_t> labels = {4, 9};
  EXPECT_DOUBLE_EQ(loss_sum(Loss::kNll, values, labels), -static_cast<double>(values[4][0]) - static_cast<double>(values[9][1]));
  std::vector<Lanes> gradient = values;
  loss_gradient(Loss::kNll, gradient, labels, 0.25F);
  for (std::size_t c = 0; c < kClasses; ++c) {
    for (std::size_t n = 0; n < kLanes; ++n) {
      const float one_hot = n < 2 && c == labels[n] ? 0.25F : 0.0F;
      EXPECT_NEAR(gradient[c][n] + one_hot, n < 2 ? 0.25F * std::exp(values[c][n]) : 0.0F, 1e-7);
    }
  }
}

TEST(SoftmaxLoss, L2IsTheMeanSquaredErrorOfTheProbabilities) {
  std::vector<Lanes> values = logits(0);
  for (Lanes& x : values) x *= 0.01F;
  const std::vector<Lanes> before = values;
  log_softmax(values);
  const std::vector<std::uint8_t> labels = {4, 9};
  const auto loss = [&](std::size_t n, std::size_t moved, double by) {
    std::vector<double> p(kClasses);
    double sum = 0;
    for (std::size_t c = 0; c < kClasses; ++c) sum += p[c] = std::exp(static_cast<double>(before[c][n]) + (c == moved ? by : 0));
    double squares = 0;
    for (std::size_t c = 0; c < kClasses; ++c) squares += std::pow(p[c] / sum - (c == labels[n] ? 1 : 0), 2);
    return squares / kClasses;
  };
  EXPECT_NEAR(loss_sum(Loss::kL2, values, labels), loss(0, 0, 0) + loss(1, 0, 0), 1e-6);
  std::vector<Lanes> gradient = values;
  loss_gradient(Loss::kL2, gradient, labels, 0.25F);
  for (std::size_t c = 0; c < kClasses; ++c) {
    for (std::size_t n = 0; n < 2; ++n) EXPECT_NEAR(gradient[c][n], 0.25 * (loss(n, c, 1e-4) - loss(n, c, -1e-4)) / 2e-4, 1e-7);
    for (std::size_t n = 2; n < kLanes; ++n) EXPECT_EQ(gradient[c][n], 0);
  }
}

TEST(SoftmaxLoss, CountsTheFirstOfEqualClasses) {
  std::vector<Lanes> equal(kClasses);
  EXPECT_EQ(count_correct(equal, std::vector<std::uint8_t>{0, 0, 3}), 2);
}

TEST(SoftmaxLoss, NanIsNotHidden) {
  std::vector<Lanes> values = logits(0);
  values[3][1] = std::nanf("");
  log_softmax(values);
  EXPECT_TRUE(std::isnan(loss_sum(Loss::kNll, values, std::vector<std::uint8_t>{0, 0})));
  EXPECT_TRUE(std::isnan(loss_sum(Loss::kL2, values, std::vector<std::uint8_t>{0, 0})));
}

}  // namespace
}  // namespace paretofl
