#include "paretofl/models/multi_head_net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "tests/models/random_batch.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;

constexpr std::size_t kNetInputs = 5;
constexpr std::size_t kNetSamples = 37;  // no whole number of registers

const std::vector<Head> kNetHeads{{.outputs = 1, .loss = Loss::kSquaredError},
                                  {.outputs = 1, .loss = Loss::kAbsoluteError},
                                  {.outputs = 1, .loss = Loss::kQuantile, .level = 0.9},
                                  {.outputs = 1, .loss = Loss::kBinary},
                                  {.outputs = 3, .loss = Loss::kNll}};

Random no_dropout() { return Random({1}, "dropout"); }

/// A network, its initial parameters and a batch for it, some of whose labels and targets are unknown.
struct NetCase {
  std::string name;
  MultiHeadShape shape;

  MultiHeadNet net() const { return {shape, kNetHeads}; }
  std::vector<float> parameters() const {
    const MultiHeadNet made = net();
    std::vector<float> theta(made.layout()->size());
    made.initialize(Random({4}, "initial"), theta);
    return theta;
  }
};

class MultiHeadNetTest : public testing::TestWithParam<NetCase> {
 protected:
  MultiHeadNetTest() {
    Random random({7}, "known");
    for (std::size_t i = 0; i < kNetHeads.size() * kNetSamples; ++i) known_.push_back(random.below(4) == 0 ? 0 : 1);
  }
  Batch batch() const {
    Batch view = batch_.view();
    view.known = known_;
    return view;
  }
  double loss(const std::vector<float>& theta, std::size_t k) {
    std::vector<float> gradient(theta.size());
    return net_.objective_gradient(theta, batch(), static_cast<int>(k), no_dropout(), gradient);
  }

  RandomBatch batch_{kNetSamples, kNetHeads, kNetInputs, 3};
  std::vector<std::uint8_t> known_;
  MultiHeadNet net_ = GetParam().net();
  std::vector<float> theta_ = GetParam().parameters();
};

// Along its own direction the gradient of every slice is what the loss really does.
TEST_P(MultiHeadNetTest, EveryLossHasItsGradient) {
  std::vector<double> losses(kNetHeads.size());
  std::vector<float> jacobian(kNetHeads.size() * theta_.size());
  net_.jacobian(theta_, batch(), no_dropout(), losses, jacobian);
  for (std::size_t k = 0; k < kNetHeads.size(); ++k) {
    EXPECT_NEAR(loss(theta_, k), losses[k], 1e-12);
    const std::span<const float> row = std::span(jacobian).subspan(k * theta_.size(), theta_.size());
    for (const Slice& slice : net_.layout()->slices()) {
      double squares = 0;
      for (std::size_t i = slice.range.begin; i < slice.range.end; ++i)
        squares += static_cast<double>(row[i]) * static_cast<double>(row[i]);
      if (slice.head != Slice::kShared && slice.head != static_cast<int>(k)) {
        EXPECT_EQ(squares, 0) << slice.name;
        continue;
      }
      if (squares == 0) continue;
      const double norm = std::sqrt(squares);
      const double step = 2e-3 / norm;
      std::vector<float> ahead = theta_;
      std::vector<float> behind = theta_;
      for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) {
        ahead[i] += static_cast<float>(step) * row[i];
        behind[i] -= static_cast<float>(step) * row[i];
      }
      EXPECT_NEAR((loss(ahead, k) - loss(behind, k)) / (2 * step * norm), norm, 0.03 * norm)
          << slice.name << " of " << to_text(kNetHeads[k].loss);
    }
  }
}

TEST_P(MultiHeadNetTest, TheWeightedGradientIsLambdaTimesTheJacobian) {
  const std::vector<double> lambda{0.1, 0.3, 0.2, 0.25, 0.15};
  std::vector<double> losses(kNetHeads.size());
  std::vector<double> weighted_losses(kNetHeads.size());
  std::vector<float> jacobian(kNetHeads.size() * theta_.size());
  std::vector<float> gradient(theta_.size());
  net_.jacobian(theta_, batch(), no_dropout(), losses, jacobian);
  net_.weighted_gradient(theta_, batch(), lambda, no_dropout(), weighted_losses, gradient);
  EXPECT_EQ(losses, weighted_losses);
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    double expected = 0;
    for (std::size_t k = 0; k < kNetHeads.size(); ++k) expected += lambda[k] * static_cast<double>(jacobian[k * theta_.size() + i]);
    ASSERT_NEAR(gradient[i], expected, 1e-5) << i;
  }
}

// What is unknown counts nothing: neither in the mean nor in the sums, whatever stands in its place.
TEST_P(MultiHeadNetTest, UnknownLabelsAndTargetsDoNotCount) {
  std::vector<double> losses(kNetHeads.size());
  std::vector<float> jacobian(kNetHeads.size() * theta_.size());
  net_.jacobian(theta_, batch(), no_dropout(), losses, jacobian);
  std::vector<HeadSums> sums(kNetHeads.size());
  net_.add_sums(theta_, batch(), sums);
  for (std::size_t k = 0; k < kNetHeads.size(); ++k) {
    const auto marks = std::span(known_).subspan(k * kNetSamples, kNetSamples);
    EXPECT_EQ(sums[k].samples, std::accumulate(marks.begin(), marks.end(), 0.0));
    EXPECT_NEAR(sums[k].loss / sums[k].samples, losses[k], 1e-9);
    for (std::size_t n = 0; n < kNetSamples; ++n) {
      if (marks[n] != 0) continue;
      batch_.labels()[k * kNetSamples + n] = 0;
      batch_.targets()[k * kNetSamples + n] = 1e6F;
    }
  }
  std::vector<double> other_losses(kNetHeads.size());
  std::vector<float> other(jacobian.size());
  net_.jacobian(theta_, batch(), no_dropout(), other_losses, other);
  EXPECT_EQ(other_losses, losses);
  EXPECT_EQ(other, jacobian);

  std::fill(known_.begin(), known_.end(), std::uint8_t{0});
  net_.jacobian(theta_, batch(), no_dropout(), losses, jacobian);
  EXPECT_THAT(losses, Each(0.0));
  EXPECT_THAT(jacobian, Each(0.0F));
}

TEST_P(MultiHeadNetTest, RefusesArgumentsOfOtherSizes) {
  std::vector<double> losses(kNetHeads.size());
  std::vector<float> gradient(theta_.size());
  std::vector<double> lambda(kNetHeads.size(), 0.2);
  const std::span<const float> cut = std::span(theta_).first(3);
  EXPECT_THROW(net_.weighted_gradient(cut, batch(), lambda, no_dropout(), losses, gradient), Error);
  EXPECT_THROW(net_.weighted_gradient(theta_, batch(), std::span(lambda).first(2), no_dropout(), losses, gradient), Error);
  EXPECT_THROW(net_.jacobian(theta_, batch(), no_dropout(), losses, gradient), Error);
  EXPECT_THROW(net_.objective_gradient(theta_, batch(), 5, no_dropout(), gradient), Error);
  known_.pop_back();
  EXPECT_THROW(net_.objective_gradient(theta_, batch(), 0, no_dropout(), gradient), Error);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MultiHeadNetTest,
    testing::Values(NetCase{"linear", {.inputs = kNetInputs, .hidden = {}}}, NetCase{"relu", {.inputs = kNetInputs, .hidden = {9}}},
                    NetCase{"tanh", {.inputs = kNetInputs, .hidden = {12, 7}, .activation = MultiHeadShape::Activation::kTanh}}),
    [](const auto& info) { return info.param.name; });

// y = w x + b by hand: w = (2, -1), b = 0.5, so that outputs are 0.5, 2.5 and -0.5.
TEST(MultiHeadNet, MatchesALinearModelByHand) {
  MultiHeadNet net({.inputs = 2, .hidden = {}},
                   {{.outputs = 1, .loss = Loss::kSquaredError}, {.outputs = 1, .loss = Loss::kQuantile, .level = 0.75}});
  const std::vector<float> theta{2, -1, 0.5F, 2, -1, 0.5F};
  const std::vector<float> inputs{0, 0, 1, 0, 0, 1};
  const std::vector<float> targets{1, 1, 1, 1, 1, 1};
  const Batch batch{.size = 3, .inputs = inputs, .labels = {}, .targets = targets};
  std::vector<double> losses(2);
  std::vector<float> jacobian(12);
  net.jacobian(theta, batch, no_dropout(), losses, jacobian);
  // Residuals 0.5, -1.5, 1.5. Squares: (0.25 + 2.25 + 2.25) / 3. Quantile: (0.375 + 0.375 + 1.125) / 3.
  EXPECT_THAT(losses, Pointwise(DoubleNear(1e-7), {4.75 / 3, 0.625}));
  // Squares: -2/3 of (-1.5, 1.5, 0.5). Quantile, slopes -0.75, 0.25, -0.75: (0.25, -0.75, -1.25) / 3.
  EXPECT_THAT(jacobian, Pointwise(testing::FloatNear(1e-6F),
                                  {1.0F, -1.0F, -1.0F / 3, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.25F / 3, -0.25F, -1.25F / 3}));
  std::vector<HeadSums> sums(2);
  net.add_sums(theta, batch, sums);
  EXPECT_NEAR(sums[1].absolute_error, 3.5, 1e-6);
  EXPECT_NEAR(sums[1].squared_error, 4.75, 1e-6);
}

// With half of the samples known where the batch comes from, one known sample of three counts as 1 / 1.5 of the mean; with all known, the
// shares change no bit.
TEST(MultiHeadNet, SharesOfKnownSamplesAreWhatLossesAreDividedBy) {
  MultiHeadNet net({.inputs = 1, .hidden = {}}, {{.outputs = 1, .loss = Loss::kSquaredError}});
  const std::vector<float> theta{2, 0.5F};
  const std::vector<float> inputs{0.1F, 0.7F, -1};
  const std::vector<float> targets{1, 0.3F, 1};
  const std::vector<std::uint8_t> one{0, 0, 1};
  const std::vector<double> half{0.5};
  std::vector<float> gradient(2);
  Batch batch{.size = 3, .inputs = inputs, .labels = {}, .targets = targets, .known = one, .known_shares = half};
  EXPECT_NEAR(net.objective_gradient(theta, batch, 0, no_dropout(), gradient), 6.25 / 1.5, 1e-6);  // the output is -1.5
  EXPECT_THAT(gradient, Pointwise(testing::FloatNear(1e-6F), {5 / 1.5F, -5 / 1.5F}));

  const std::vector<std::uint8_t> all{1, 1, 1};
  const std::vector<double> whole{1};
  batch.known = all;
  batch.known_shares = whole;
  std::vector<float> of_shares(2);
  std::vector<float> plain(2);
  const double loss = net.objective_gradient(theta, batch, 0, no_dropout(), of_shares);
  batch.known = {};
  batch.known_shares = {};
  EXPECT_EQ(net.objective_gradient(theta, batch, 0, no_dropout(), plain), loss);
  EXPECT_EQ(plain, of_shares);
}

TEST(MultiHeadNet, HeadsFollowTheSharedPart) {
  const MultiHeadNet net({.inputs = 4, .hidden = {8, 3}}, {{.outputs = 1, .loss = Loss::kBinary}, {.outputs = 5, .loss = Loss::kNll}});
  EXPECT_EQ(net.layout()->shared().size(), 4U * 8 + 8 + 8 * 3 + 3);
  EXPECT_EQ(net.layout()->head(0).size(), 3U + 1);
  EXPECT_EQ(net.layout()->head(1).size(), 3U * 5 + 5);
  const MultiHeadNet linear({.inputs = 4, .hidden = {}}, {{.outputs = 1, .loss = Loss::kBinary}});
  EXPECT_EQ(linear.layout()->shared().size(), 5U);
}

TEST(MultiHeadNet, RefusesShapesAndHeads) {
  const auto make = [](const Head& head, std::size_t inputs = 2, std::vector<std::size_t> hidden = {3}) {
    MultiHeadNet({.inputs = inputs, .hidden = std::move(hidden)}, {head});
  };
  EXPECT_NO_THROW(make({.outputs = 2, .loss = Loss::kNll}));
  for (const Head& head : {Head{.outputs = 1, .loss = Loss::kNll}, Head{.outputs = 257, .loss = Loss::kNll},
                           Head{.outputs = 2, .loss = Loss::kBinary}, Head{.outputs = 2, .loss = Loss::kL2},
                           Head{.outputs = 2, .loss = Loss::kSquaredError}, Head{.outputs = 1, .loss = Loss::kQuantile, .level = 1}}) {
    EXPECT_THROW(make(head), Error) << to_text(head.loss);
  }
  EXPECT_THROW(make({.outputs = 2, .loss = Loss::kNll}, 0), Error);
  EXPECT_THROW(make({.outputs = 2, .loss = Loss::kNll}, 2, {0}), Error);
  EXPECT_THROW(MultiHeadNet({.inputs = 2, .hidden = {}}, {}), Error);
}

}  // namespace
}  // namespace paretofl
