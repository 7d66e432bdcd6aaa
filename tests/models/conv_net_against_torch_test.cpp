#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "paretofl/models/registry.h"
#include "tests/models/random_batch.h"

namespace paretofl {
namespace {

constexpr double kTolerance = 2e-5;  // of the largest number

// Sums of terms of up to a few tenths that nearly cancel, such as the bias of a head with one vote on each side, keep
// that much of the terms' rounding.
constexpr double kCancelled = 1e-7;

void expect_close(std::span<const float> expected, std::span<const float> found, const char* what) {
  ASSERT_EQ(expected.size(), found.size());
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    difference = std::max(difference, std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])));
  }
  EXPECT_GT(largest, 0) << what;
  EXPECT_LE(difference, kTolerance * largest + kCancelled) << what;
}

void expect_close_slices(const Layout& layout, std::span<const float> expected, std::span<const float> found) {
  for (const Slice& slice : layout.slices()) {
    const auto [begin, end] = slice.range;
    expect_close(expected.subspan(begin, end - begin), found.subspan(begin, end - begin), slice.name.c_str());
  }
}

struct Case {
  std::string model;
  std::size_t inputs;
  std::size_t samples;
  std::vector<Head> heads;
};

// The model by LibTorch that has the same network.
std::string torch_name(const std::string& model) { return model.substr(0, model.find("_winograd")) + "_torch"; }

class ConvNetAgainstTorch : public testing::TestWithParam<Case> {
 protected:
  const std::size_t samples_ = GetParam().samples;
  const std::vector<Head>& heads_ = GetParam().heads;
  const std::size_t m_ = heads_.size();
  const int objectives_ = static_cast<int>(m_);
  const std::unique_ptr<Model> ours_ = make_model(GetParam().model, heads_);
  const std::unique_ptr<Model> torch_ = make_model(torch_name(GetParam().model), heads_);
  const std::vector<float> parameters_ = initial_parameters(*ours_);
  const std::size_t d_ = parameters_.size();
  const RandomBatch batch_{samples_, heads_, GetParam().inputs};
  std::vector<double> losses_ = std::vector<double>(m_);
  std::vector<double> torch_losses_ = std::vector<double>(m_);

  void expect_same_losses() const {
    for (std::size_t k = 0; k < m_; ++k) EXPECT_NEAR(torch_losses_[k], losses_[k], kTolerance * torch_losses_[k]);
  }
};

TEST_P(ConvNetAgainstTorch, InitializesAlike) { EXPECT_EQ(initial_parameters(*torch_), parameters_); }

TEST_P(ConvNetAgainstTorch, Jacobian) {
  std::vector<float> found(m_ * d_);
  std::vector<float> expected(m_ * d_);
  ours_->jacobian(parameters_, batch_.view(), dropout_stream(), losses_, found);
  torch_->jacobian(parameters_, batch_.view(), dropout_stream(), torch_losses_, expected);
  expect_same_losses();
  for (std::size_t k = 0; k < m_; ++k) {
    expect_close(std::span(expected).subspan(k * d_, d_), std::span(found).subspan(k * d_, d_), "row of the Jacobian");
  }
}

TEST_P(ConvNetAgainstTorch, WeightedGradient) {
  std::vector<double> lambda;
  for (std::size_t k = 0; k < m_; ++k) lambda.push_back(0.1 + 0.3 * static_cast<double>(k % 3));
  std::vector<float> found(d_);
  std::vector<float> expected(d_);
  ours_->weighted_gradient(parameters_, batch_.view(), lambda, dropout_stream(), losses_, found);
  torch_->weighted_gradient(parameters_, batch_.view(), lambda, dropout_stream(), torch_losses_, expected);
  expect_same_losses();
  expect_close_slices(*ours_->layout(), expected, found);
}

TEST_P(ConvNetAgainstTorch, ObjectiveGradient) {
  std::vector<float> found(d_);
  std::vector<float> expected(d_);
  for (int k = 0; k < objectives_; ++k) {
    const double loss = ours_->objective_gradient(parameters_, batch_.view(), k, dropout_stream(), found);
    const double torch_loss = torch_->objective_gradient(parameters_, batch_.view(), k, dropout_stream(), expected);
    EXPECT_NEAR(torch_loss, loss, kTolerance * torch_loss);
    expect_close(expected, found, "gradient");
  }
}

TEST_P(ConvNetAgainstTorch, Evaluate) {
  std::vector<double> correct(m_);
  std::vector<double> torch_correct(m_);
  ours_->evaluate(parameters_, batch_.view(), losses_, correct);
  torch_->evaluate(parameters_, batch_.view(), torch_losses_, torch_correct);
  expect_same_losses();
  EXPECT_EQ(torch_correct, correct);
}

// With all-zero weights a convolution gives equal numbers on unequal inputs, so the gradient of its
// weights tells which of them the pooling picked.
TEST_P(ConvNetAgainstTorch, TiesInPoolingGoToTheFirst) {
  std::vector<float> parameters = parameters_;
  const Slice& conv2 = ours_->layout()->slice("encoder.conv2.weight");
  const Slice& bias2 = ours_->layout()->slice("encoder.conv2.bias");
  std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(conv2.range.begin), conv2.range.size(), 0.0F);
  std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(bias2.range.begin), bias2.range.size(), 0.5F);
  std::vector<float> found(d_);
  std::vector<float> expected(d_);
  ours_->objective_gradient(parameters, batch_.view(), 0, dropout_stream(), found);
  torch_->objective_gradient(parameters, batch_.view(), 0, dropout_stream(), expected);
  expect_close(std::span(expected).subspan(conv2.range.begin, conv2.range.size()),
               std::span(found).subspan(conv2.range.begin, conv2.range.size()), "conv2.weight");
}

std::vector<Case> cases() {
  const Head digit{10, Loss::kNll}, squares{10, Loss::kL2}, yes_no{2, Loss::kNll}, bits{8, Loss::kBinary};
  std::vector<Case> list;
  for (const std::size_t samples : {1, 7, 128}) {
    for (const std::vector<Head>& heads : std::vector<std::vector<Head>>{{digit}, {squares, digit}, {digit, digit, digit}, {bits, bits}}) {
      list.push_back({"lenet", 784, samples, heads});
      list.push_back({"lenet_winograd", 784, samples, heads});
    }
  }
  // With many more images, rounding decides between two nearly equal numbers somewhere in the pooling.
  for (const std::size_t samples : {1, 7, 33}) {
    list.push_back({"small_cnn", 3072, samples, std::vector<Head>(40, yes_no)});
    list.push_back({"small_cnn_winograd", 3072, samples, std::vector<Head>(40, yes_no)});
    list.push_back({"small_cnn", 3072, samples, {bits, bits, bits}});
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(SamplesAndHeads, ConvNetAgainstTorch, testing::ValuesIn(cases()), [](const auto& info) {
  const Case& c = info.param;
  return c.model + "_" + std::to_string(c.samples) + "_" + std::to_string(c.heads.size()) + "_" + std::string(to_text(c.heads[0].loss));
});

}  // namespace
}  // namespace paretofl
