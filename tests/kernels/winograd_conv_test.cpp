// Winograd's minimal filtering computes what the direct sums compute, but for rounding.
#include "paretofl/kernels/winograd_conv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

// 36 positions, 49 and 12: whole groups of positions and some left over, on both sides of a row's end.
const ConvPoolShape kShapes[] = {{10, 15, 14, 14}, {15, 30, 16, 16}, {5, 10, 8, 10}};

class WinogradConvOf : public testing::TestWithParam<ConvPoolShape> {
 protected:
  WinogradConvOf()
      : weight_(shape_.in * shape_.out * 9),
        bias_(shape_.out),
        input_(shape_.input_size()),
        output_(shape_.output_size()),
        direct_output_(output_),
        choice_(output_.size()),
        direct_choice_(output_.size()),
        winograd_(shape_) {
    for (float& x : weight_) x = static_cast<float>(random_.normal());
    for (float& x : bias_) x = static_cast<float>(random_.normal());
    fill(input_);
    winograd_.set_weight(weight_.data());
  }

  void fill(std::vector<Lanes>& lanes) {
    for (Lanes& x : lanes) {
      for (std::size_t n = 0; n < kLanes; ++n) x[n] = static_cast<float>(random_.normal());
    }
  }
  static void expect_near(const std::vector<Lanes>& expected, const std::vector<Lanes>& found, float tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t n = 0; n < kLanes; ++n) ASSERT_NEAR(expected[i][n], found[i][n], tolerance) << "at " << i << ", sample " << n;
    }
  }

  ConvPoolShape shape_ = GetParam();
  Random random_{{.seed = 3}, "winograd"};
  std::vector<float> weight_;
  std::vector<float> bias_;
  std::vector<Lanes> input_;
  std::vector<Lanes> output_;
  std::vector<Lanes> direct_output_;
  std::vector<LaneInts> choice_;
  std::vector<LaneInts> direct_choice_;
  WinogradConv winograd_;
};

TEST_P(WinogradConvOf, RandomNumbersGivesTheDirectSums) {
  winograd_.forward(bias_.data(), input_.data(), output_.data(), choice_.data());
  conv_pool_forward(shape_, weight_.data(), bias_.data(), input_.data(), direct_output_.data(), direct_choice_.data());
  // Sums of 9 * in products of unit variance.
  expect_near(direct_output_, output_, 1e-5F * std::sqrt(9.0F * static_cast<float>(shape_.in)));
  std::size_t other = 0;  // where rounding decided between two numbers
  for (std::size_t i = 0; i < choice_.size(); ++i) {
    for (std::size_t n = 0; n < kLanes; ++n) other += choice_[i][n] != direct_choice_[i][n] ? 1 : 0;
  }
  EXPECT_LE(other, choice_.size() * kLanes / 1000);
}

TEST_P(WinogradConvOf, AGradientGivesTheDirectInputGradient) {
  std::vector<Lanes> gradient(shape_.output_size());
  fill(gradient);
  for (LaneInts& x : choice_) {
    for (std::size_t n = 0; n < kLanes; ++n) x[n] = static_cast<std::int32_t>(random_.below(4));
  }
  std::vector<Lanes> found(shape_.input_size(), Lanes{} + 7.0F);  // is overwritten
  std::vector<Lanes> expected(found.size());
  std::vector<Lanes> room;
  winograd_.input_gradient(gradient.data(), choice_.data(), found.data());
  conv_pool_input_gradient(shape_, weight_.data(), gradient.data(), choice_.data(), room, expected.data());
  expect_near(expected, found, 1e-5F * std::sqrt(9.0F * static_cast<float>(shape_.out)));
}

// Small integers and halves are exact in both ways, so that nothing but the order of sums could differ.
TEST_P(WinogradConvOf, IntegersGivesTheSameBits) {
  for (float& x : weight_) x = static_cast<float>(4 * static_cast<int>(random_.below(5)) - 8);
  for (float& x : bias_) x = static_cast<float>(random_.below(5));
  for (Lanes& x : input_) {
    for (std::size_t n = 0; n < kLanes; ++n) x[n] = static_cast<float>(random_.below(7)) - 3;
  }
  winograd_.set_weight(weight_.data());
  winograd_.forward(bias_.data(), input_.data(), output_.data(), choice_.data());
  conv_pool_forward(shape_, weight_.data(), bias_.data(), input_.data(), direct_output_.data(), direct_choice_.data());
  expect_near(direct_output_, output_, 0);
  for (std::size_t i = 0; i < choice_.size(); ++i) {
    for (std::size_t n = 0; n < kLanes; ++n) ASSERT_EQ(direct_choice_[i][n], choice_[i][n]) << "at " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WinogradConvOf, testing::ValuesIn(kShapes),
                         [](const auto& info) { return "From" + std::to_string(info.param.in) + "To" + std::to_string(info.param.out); });

TEST(WinogradConv, OtherNumbersOfChannelsAreRefused) {
  EXPECT_THROW(WinogradConv(ConvPoolShape{.in = 3, .out = 15, .height = 8, .width = 8}), Error);
  EXPECT_THROW(WinogradConv(ConvPoolShape{.in = 5, .out = 12, .height = 8, .width = 8}), Error);
}

}  // namespace
}  // namespace paretofl
