// Models that clip the gradients of single samples, many at once: against minibatches of one, and sample by sample within a minibatch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/models/conv_net.h"
#include "paretofl/models/multi_head_net.h"
#include "tests/models/random_batch.h"

namespace paretofl {
namespace {

struct Net {
  std::string name;
  std::unique_ptr<Model> (*make)();
  std::vector<Head> heads;
  std::size_t inputs;
};

template <class Shape>
std::unique_ptr<Model> conv(const Shape& shape, const std::vector<Head>& heads) {
  return std::make_unique<ConvNet>(shape, heads);
}

const std::vector<Head> kClassHeads{{.outputs = 4}, {.outputs = 3, .loss = Loss::kBinary}, {.outputs = 5, .loss = Loss::kL2}};
const std::vector<Head> kPlainHeads{{.outputs = 4}, {.outputs = 3}};
const std::vector<Head> kNumberHeads{{.outputs = 1, .loss = Loss::kSquaredError}, {.outputs = 1, .loss = Loss::kQuantile, .level = 0.8}};
constexpr ConvNetShape kTiny{.name = "tiny", .channels = 2, .side = 12, .channels1 = 5, .channels2 = 10, .features = 9, .head_hidden = 7};

const std::vector<Net> kNets{
    {"lenet", [] { return conv(kLenet, kClassHeads); }, kClassHeads, 784},
    {"lenet_winograd",
     []() -> std::unique_ptr<Model> { return std::make_unique<ConvNet>(kLenet, kClassHeads, ConvolutionMethod::kWinograd); }, kClassHeads,
     784},
    {"tiny", [] { return conv(kTiny, kClassHeads); }, kClassHeads, 288},
    {"without_hidden_heads",
     [] {
       ConvNetShape shape = kTiny;
       shape.head_hidden = 0;
       return conv(shape, kClassHeads);
     },
     kClassHeads, 288},
    {"mlp",
     []() -> std::unique_ptr<Model> {
       return std::make_unique<MultiHeadNet>(MultiHeadShape{.inputs = 6, .hidden = {7, 5}}, kNumberHeads);
     },
     kNumberHeads, 6},
    {"linear",
     []() -> std::unique_ptr<Model> { return std::make_unique<MultiHeadNet>(MultiHeadShape{.inputs = 6, .hidden = {}}, kPlainHeads); },
     kPlainHeads, 6}};

class ClippedGradients : public testing::TestWithParam<Net> {
 protected:
  struct Sums {
    std::vector<double> losses, gradients;
  };

  Sums clipped(const Batch& batch, const GradientTerms& terms, double clip, double loss_clip = 1e6) {
    Sums found{std::vector<double>(terms.terms.size()), std::vector<double>(terms.vectors * theta_.size())};
    model_->add_clipped_gradients(theta_, batch, terms, dropout_stream(), {clip, loss_clip, found.losses, found.gradients});
    return found;
  }
  /// The gradients and losses of a minibatch of one.
  Sums alone(const Batch& batch, const GradientTerms& terms) {
    std::vector<double> losses(terms.terms.size());
    std::vector<float> gradients(terms.vectors * theta_.size());
    std::vector<double> weights;
    for (const auto& term : terms.terms) weights.push_back(term.weight);
    if (terms.vectors > 1) {
      model_->jacobian(theta_, batch, dropout_stream(), losses, gradients);
    } else if (weights.size() > 1) {
      model_->weighted_gradient(theta_, batch, weights, dropout_stream(), losses, gradients);
    } else {
      losses[0] = model_->objective_gradient(theta_, batch, static_cast<int>(terms.terms[0].objective), dropout_stream(), gradients);
    }
    return {losses, {gradients.begin(), gradients.end()}};
  }
  std::vector<GradientTerms> kinds() const {
    std::vector<double> weights{0.5, -0.25, 2};
    weights.resize(GetParam().heads.size());
    return {GradientTerms::jacobian(weights.size()), GradientTerms::weighted(weights), GradientTerms::of_objective(1)};
  }
  static double norm(std::span<const double> vector) {
    double square = 0;
    for (const double x : vector) square += x * x;
    return std::sqrt(square);
  }
  static void expect_near(std::span<const double> found, std::span<const double> expected) {
    ASSERT_EQ(found.size(), expected.size());
    const double tolerance = 2e-5 * norm(expected) + 1e-9;
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << i;
  }
  /// As clipped() does, from gradients that are not.
  static Sums by_hand(Sums sums, std::size_t vectors, double clip, double loss_clip = 1e6) {
    const std::size_t width = sums.gradients.size() / vectors;
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto row = std::span(sums.gradients).subspan(v * width, width);
      const double factor = std::min(1.0, clip * kBelowClip / norm(row));
      for (double& x : row) x *= factor;
    }
    const double factor = std::min(1.0, loss_clip / norm(sums.losses));
    for (double& x : sums.losses) x *= factor;
    return sums;
  }

  std::unique_ptr<Model> model_ = GetParam().make();
  std::vector<float> theta_ = initial_parameters(*model_);
};

TEST_P(ClippedGradients, OfOneSampleIsItsGradientClipped) {
  const RandomBatch batch(1, GetParam().heads, GetParam().inputs);
  for (const GradientTerms& terms : kinds()) {
    const Sums whole = alone(batch.view(), terms);
    const double length = norm(std::span(whole.gradients).first(theta_.size()));
    for (const double clip : {0.3 * length, 1e3 * length}) {
      const Sums expected = by_hand(whole, terms.vectors, clip, 0.1);
      const Sums found = clipped(batch.view(), terms, clip, 0.1);
      expect_near(found.gradients, expected.gradients);
      expect_near(found.losses, expected.losses);
    }
  }
}

TEST_P(ClippedGradients, WithoutClippingIsTheSumOfAMinibatch) {
  constexpr std::size_t kSamples = 37;
  const RandomBatch batch(kSamples, GetParam().heads, GetParam().inputs);
  for (const GradientTerms& terms : kinds()) {
    Sums expected = alone(batch.view(), terms);
    for (auto* means : {&expected.losses, &expected.gradients}) {
      for (double& mean : *means) mean *= kSamples;
    }
    const Sums found = clipped(batch.view(), terms, 1e9);
    expect_near(found.gradients, expected.gradients);
    expect_near(found.losses, expected.losses);
  }
}

/// The sum over the samples of what each is by itself, in whatever lane it is.
TEST_P(ClippedGradients, EverySampleIsClippedByItself) {
  if (GetParam().name != "mlp" && GetParam().name != "linear") return;  // dropout tells copies of a sample apart
  constexpr std::size_t kSamples = 37;
  const std::vector<Head>& heads = GetParam().heads;
  const RandomBatch many(kSamples, heads, GetParam().inputs);
  for (const GradientTerms& terms : kinds()) {
    Sums expected{std::vector<double>(terms.terms.size()), std::vector<double>(terms.vectors * theta_.size())};
    double clip = 0;
    for (const bool counting : {false, true}) {
      for (std::size_t n = 0; n < kSamples; ++n) {
        RandomBatch one(1, heads, GetParam().inputs);
        const Batch all = many.view();
        std::copy_n(all.inputs.begin() + static_cast<std::ptrdiff_t>(n * GetParam().inputs), GetParam().inputs, one.inputs().begin());
        for (std::size_t k = 0; k < heads.size(); ++k) {
          if (!all.labels.empty()) one.labels()[k] = all.labels[k * kSamples + n];
          if (!all.targets.empty()) one.targets()[k] = all.targets[k * kSamples + n];
        }
        const Sums sample = alone(one.view(), terms);
        if (!counting) {
          clip += norm(std::span(sample.gradients).first(theta_.size())) / kSamples;  // the mean length: some are clipped
          continue;
        }
        const Sums part = by_hand(sample, terms.vectors, clip);
        for (std::size_t i = 0; i < part.gradients.size(); ++i) expected.gradients[i] += part.gradients[i];
        for (std::size_t i = 0; i < part.losses.size(); ++i) expected.losses[i] += part.losses[i];
      }
    }
    const Sums found = clipped(many.view(), terms, clip);
    expect_near(found.gradients, expected.gradients);
    expect_near(found.losses, expected.losses);
  }
}

/// Where the outputs are certain and right, a sample has no gradient; so those of one or two others are what there is.
TEST_P(ClippedGradients, LanesAreClippedApart) {
  if (GetParam().heads[0] != kClassHeads[0]) return;  // only classes can be certain
  constexpr std::size_t kSamples = 21;
  const GradientTerms terms = GradientTerms::of_objective(0);
  RandomBatch batch(kSamples, GetParam().heads, GetParam().inputs);
  std::size_t bias = 0;  // of class 0 of the first head
  for (const Slice& slice : model_->layout()->slices()) {
    if (slice.name.starts_with("head0.") && slice.name.ends_with("bias")) bias = slice.range.begin;
  }
  theta_[bias] = 200;
  const auto label = [&](std::vector<std::size_t> wrong) {
    std::fill_n(batch.labels().begin(), kSamples, std::uint8_t{0});
    for (const std::size_t n : wrong) batch.labels()[n] = 1;
    return batch.view();
  };
  EXPECT_EQ(norm(clipped(label({}), terms, 1).gradients), 0);
  std::vector<double> expected(theta_.size());
  for (const std::size_t n : {std::size_t{3}, std::size_t{20}}) {
    Sums mean = alone(label({n}), terms);
    for (double& x : mean.gradients) x *= kSamples;
    const double length = norm(mean.gradients);
    ASSERT_GT(length, 0.1);
    const Sums part = by_hand(mean, 1, 0.2 * static_cast<double>(n));
    expect_near(clipped(label({n}), terms, 0.2 * static_cast<double>(n)).gradients, part.gradients);
    const Sums both_clip = by_hand(mean, 1, 0.05);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += both_clip.gradients[i];
  }
  expect_near(clipped(label({3, 20}), terms, 0.05).gradients, expected);
}

TEST_P(ClippedGradients, NumbersThatAreNotFiniteAreRefused) {
  RandomBatch batch(3, GetParam().heads, GetParam().inputs);
  batch.inputs()[GetParam().inputs + 1] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(clipped(batch.view(), kinds()[0], 1), Error);
}

INSTANTIATE_TEST_SUITE_P(Nets, ClippedGradients, testing::ValuesIn(kNets), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace paretofl
