#include "paretofl/models/softmax_nll.h"

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

TEST(SoftmaxNll, LogProbabilitiesAreThoseOfDoublePrecisionAtAnyOffset) {
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

TEST(SoftmaxNll, LanesWithoutALabelCountForNothing) {
  std::vector<Lanes> values = logits(0);
  log_softmax(values);
  const std::vector<std::uint8_t> labels = {4, 9};
  EXPECT_DOUBLE_EQ(nll_sum(values, labels), -static_cast<double>(values[4][0]) - static_cast<double>(values[9][1]));
  std::vector<Lanes> gradient = values;
  nll_gradient(gradient, labels, 0.25F);
  for (std::size_t c = 0; c < kClasses; ++c) {
    for (std::size_t n = 0; n < kLanes; ++n) {
      const float one_hot = n < 2 && c == labels[n] ? 0.25F : 0.0F;
      EXPECT_NEAR(gradient[c][n] + one_hot, n < 2 ? 0.25F * std::exp(values[c][n]) : 0.0F, 1e-7);
    }
  }
}

TEST(SoftmaxNll, CountsTheFirstOfEqualClasses) {
  std::vector<Lanes> equal(kClasses);
  EXPECT_EQ(count_correct(equal, std::vector<std::uint8_t>{0, 0, 3}), 2);
}

TEST(SoftmaxNll, NanIsNotHidden) {
  std::vector<Lanes> values = logits(0);
  values[3][1] = std::nanf("");
  log_softmax(values);
  EXPECT_TRUE(std::isnan(nll_sum(values, std::vector<std::uint8_t>{0, 0})));
}

}  // namespace
}  // namespace paretofl
