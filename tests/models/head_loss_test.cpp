#include "paretofl/models/head_loss.h"

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

TEST(HeadLoss, LogProbabilitiesAreThoseOfDoublePrecisionAtAnyOffset) {
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

TEST(HeadLoss, LanesWithoutALabelCountForNothing) {
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

TEST(HeadLoss, L2IsTheMeanSquaredErrorOfTheProbabilities) {
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

TEST(HeadLoss, BinaryIsTheMeanCrossEntropyOverTheAttributes) {
  constexpr std::size_t kAttributes = 5;
  std::vector<Lanes> values(kAttributes);
  for (std::size_t c = 0; c < kAttributes; ++c) {
    for (std::size_t n = 0; n < kLanes; ++n) values[c][n] = static_cast<float>(c) - 2 + 0.1F * static_cast<float>(n);
  }
  values[0][1] = 200;  // exp(200) is beyond floats
  values[1][1] = -200;
  const std::vector<std::uint8_t> labels = {0b10110, 0b00011};
  const auto bit = [&](std::size_t n, std::size_t c) { return (labels[n] >> c & 1) != 0; };
  double expected = 0;
  double correct = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t c = 0; c < kAttributes; ++c) {
      const double logit = values[c][n], sign = bit(n, c) ? 1 : -1;
      expected += std::log1p(std::exp(-sign * logit)) / kAttributes;
      correct += (logit > 0) == bit(n, c) ? 1.0 / kAttributes : 0;
    }
  }
  EXPECT_NEAR(loss_sum(Loss::kBinary, values, labels), expected, 1e-6 * expected);
  EXPECT_NEAR(correct_sum(Loss::kBinary, values, labels), correct, 1e-12);
  std::vector<Lanes> gradient = values;
  loss_gradient(Loss::kBinary, gradient, labels, 0.5F);
  for (std::size_t c = 0; c < kAttributes; ++c) {
    for (std::size_t n = 0; n < kLanes; ++n) {
      const double slope = n < 2 ? 1 / (1 + std::exp(-static_cast<double>(values[c][n]))) - (bit(n, c) ? 1 : 0) : 0;
      EXPECT_NEAR(gradient[c][n], 0.5 * slope / kAttributes, 1e-7);
    }
  }
}

TEST(HeadLoss, CountsTheFirstOfEqualClasses) {
  std::vector<Lanes> equal(kClasses);
  EXPECT_EQ(correct_sum(Loss::kNll, equal, std::vector<std::uint8_t>{0, 0, 3}), 2);
}

TEST(HeadLoss, NanIsNotHidden) {
  std::vector<Lanes> values = logits(0);
  values[3][1] = std::nanf("");
  log_softmax(values);
  EXPECT_TRUE(std::isnan(loss_sum(Loss::kNll, values, std::vector<std::uint8_t>{0, 0})));
  EXPECT_TRUE(std::isnan(loss_sum(Loss::kL2, values, std::vector<std::uint8_t>{0, 0})));
}

}  // namespace
}  // namespace paretofl
