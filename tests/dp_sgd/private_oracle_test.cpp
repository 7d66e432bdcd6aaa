#include "paretofl/dp_sgd/private_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

constexpr std::size_t kDimension = 6;

/// Two objectives over samples whose gradients are fixed vectors: sample i's of objective k is k + 1 times the vector i. Notes which
/// samples were asked for.
class Vectors : public GradientOracle {
 public:
  explicit Vectors(std::vector<std::vector<float>> samples) : samples_(std::move(samples)) {}

  double num_samples() const override { return static_cast<double>(samples_.size()); }
  std::size_t num_objectives() const override { return 2; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  bool takes_single_samples() const override { return true; }

  void jacobian(std::span<const float>, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    for (std::size_t k = 0; k < 2; ++k)
      losses[k] = gradient_of(draw, static_cast<float>(k + 1), jacobian.subspan(k * kDimension, kDimension));
  }
  void weighted_gradient(std::span<const float>, std::span<const double> weights, const Draw& draw, std::span<double> losses,
                         std::span<float> gradient) const override {
    losses[0] = gradient_of(draw, static_cast<float>(weights[0] + 2 * weights[1]), gradient);
    losses[1] = 0;
  }
  double objective_gradient(std::span<const float>, std::size_t objective, const Draw& draw, std::span<float> gradient) const override {
    return gradient_of(draw, static_cast<float>(objective + 1), gradient);
  }

  mutable std::multiset<std::uint32_t> asked;

 private:
  double gradient_of(const Draw& draw, float factor, std::span<float> gradient) const {
    asked.insert(draw.only.value());
    const std::vector<float>& sample = samples_.at(*draw.only);
    for (std::size_t i = 0; i < kDimension; ++i) gradient[i] = factor * sample[i];
    return static_cast<double>(factor) * static_cast<double>(sample[0]);
  }

  std::vector<std::vector<float>> samples_;
  std::shared_ptr<const Layout> layout_ = std::make_shared<const Layout>(std::vector<Slice>{{"theta", {kDimension}, -1, {}}});
};

std::vector<std::vector<float>> unit_samples(std::size_t count, float length = 1) {
  std::vector<std::vector<float>> samples(count, std::vector<float>(kDimension));
  for (std::size_t i = 0; i < count; ++i) samples[i][i % kDimension] = length;
  return samples;
}

const std::vector<float> kTheta{1, 2, 3, 4, 5, 6};

struct Called {
  std::vector<double> losses = std::vector<double>(2);
  std::vector<float> rows = std::vector<float>(2 * kDimension);
  bool operator==(const Called&) const = default;
};

class PrivateOracleTest : public testing::Test {
 protected:
  /// An oracle over `samples`, which `inner_` points to.
  PrivateOracle oracle(std::vector<std::vector<float>> samples, const ExampleOptions& options, double loss_clip = 10,
                       const Secret& key = Secret()) {
    auto inner = std::make_unique<Vectors>(std::move(samples));
    inner_ = inner.get();
    return {std::move(inner), options, loss_clip, FixedPoint(32, 1), key};
  }
  static Draw draw(std::int64_t step = 0, std::uint32_t round = 1) { return {Random({7, round, 0}, "train"), step}; }
  static Called jacobian(const PrivateOracle& oracle, const Draw& of, std::span<const float> theta = kTheta) {
    Called called;
    oracle.jacobian(theta, of, called.losses, called.rows);
    return called;
  }

  const Vectors* inner_ = nullptr;
};

TEST_F(PrivateOracleTest, WithoutNoiseIsTheMeanOfClippedGradients) {
  const PrivateOracle all = oracle({{3, 4, 0, 0, 0, 0}, {0, 0, 0.3F, 0, 0.4F, 0}}, {.clip = 1, .rate = 1}, 2);
  const Called found = jacobian(all, draw());
  // Lengths 5 and 10 become 1; 0.5 stays, and twice it is 1. The losses (3, 6) become as long as 2, and (0, 0) stay.
  const std::vector<float> expected{0.3F, 0.4F, 0, 0, 0, 0, 0.3F, 0.4F, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found.losses[i], (i + 1.0) * 2 / std::sqrt(5) / 2, 1e-9);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float second = i % kDimension == 2 ? 0.15F : i % kDimension == 4 ? 0.2F : 0;
    EXPECT_NEAR(found.rows[i], expected[i] + second * (i < kDimension ? 1.0F : 2.0F), 1e-7) << i;
  }
  std::vector<double> losses(2);
  std::vector<float> gradient(kDimension);
  all.weighted_gradient(kTheta, std::vector<double>{0.5, 0.25}, draw(), losses, gradient);  // of the vectors themselves
  EXPECT_NEAR(gradient[0], 0.3, 1e-7);
  EXPECT_NEAR(gradient[2], 0.15, 1e-7);
  EXPECT_NEAR(all.objective_gradient(kTheta, 1, draw(), gradient), 1, 1e-9);  // the losses 6 and 0, of which 2 and 0 are left
  EXPECT_NEAR(gradient[2], 0.3, 1e-7);
}

TEST_F(PrivateOracleTest, NoSampleMovesASumByMoreThanTheClipping) {
  const PrivateOracle small = oracle(unit_samples(20), {.clip = 0.5, .rate = 0.5});
  const Called with_small = jacobian(small, draw());
  const std::multiset<std::uint32_t> drawn = inner_->asked;
  ASSERT_FALSE(drawn.empty());
  auto samples = unit_samples(20);
  samples[*drawn.begin()] = {1e15F, -1e18F, -1e18F, -1e18F, -1e18F, -1e18F};
  const PrivateOracle large = oracle(samples, {.clip = 0.5, .rate = 0.5});
  const Called with_large = jacobian(large, draw());
  EXPECT_EQ(inner_->asked, drawn);
  for (std::size_t k = 0; k < 2; ++k) {
    double square = 0;
    for (std::size_t i = 0; i < kDimension; ++i) {
      square += std::pow(10.0 * (with_large.rows[k * kDimension + i] - with_small.rows[k * kDimension + i]), 2);
    }
    EXPECT_LE(std::sqrt(square), 2 * 0.5 + 1e-6);  // replaced: less one, plus one
    EXPECT_GE(std::sqrt(square), 0.5);
  }
}

TEST_F(PrivateOracleTest, DrawsEachSampleOnItsOwn) {
  constexpr int kSteps = 4000;
  const PrivateOracle sampled = oracle(unit_samples(10), {.clip = 1, .rate = 0.2});
  double square = 0;
  std::vector<float> gradient(kDimension);
  for (int step = 0; step < kSteps; ++step) {
    const std::size_t before = inner_->asked.size();
    sampled.objective_gradient(kTheta, 0, draw(step), gradient);
    square += std::pow(static_cast<double>(inner_->asked.size() - before) - 2, 2);
  }
  // Binomial numbers of samples: mean 2, variance 1.6; each sample in a fifth of the steps (standard deviation 25).
  EXPECT_NEAR(square / kSteps, 1.6, 0.2);
  for (std::uint32_t sample = 0; sample < 10; ++sample) EXPECT_NEAR(static_cast<double>(inner_->asked.count(sample)), 800, 130) << sample;
}

TEST_F(PrivateOracleTest, NoiseIsAsLargeAsItSays) {
  constexpr int kSteps = 3000;
  const ExampleOptions options{.clip = 0.5, .noise_multiplier = 1.5, .rate = 0.25};
  const PrivateOracle silent = oracle(std::vector(8, std::vector<float>(kDimension)), options, 4);  // every gradient is zero
  double rows = 0, losses = 0, mixed = 0, single = 0, weighted = 0;
  std::vector<float> gradient(kDimension);
  std::vector<double> two(2);
  for (int step = 0; step < kSteps; ++step) {
    const Called found = jacobian(silent, draw(step));
    for (const float x : found.rows) rows += static_cast<double>(x) * static_cast<double>(x) / (2 * kDimension * kSteps);
    for (const double x : found.losses) losses += x * x / kSteps;  // of the half that is positive
    mixed += static_cast<double>(found.rows[0]) * static_cast<double>(found.rows[kDimension]) / kSteps;
    silent.objective_gradient(kTheta, 0, draw(step), gradient);
    for (const float x : gradient) single += static_cast<double>(x) * static_cast<double>(x) / (kDimension * kSteps);
    silent.weighted_gradient(kTheta, std::vector<double>{1, 1}, draw(step), two, gradient);
    for (const float x : gradient) weighted += static_cast<double>(x) * static_cast<double>(x) / (kDimension * kSteps);
  }
  // z C sqrt(V / 0.9) and z L sqrt(1 / 0.1), over an expected 2 samples. V vectors of norm C and one of L then disclose V (1 / (z^2 V /
  // 0.9)) + 1 / (z^2 / 0.1) = 1 / z^2.
  EXPECT_NEAR(std::sqrt(rows), 1.5 * 0.5 * std::sqrt(2 / 0.9) / 2, 0.01);
  EXPECT_NEAR(std::sqrt(losses), 1.5 * 4 * std::sqrt(10) / 2, 0.3);
  EXPECT_NEAR(std::sqrt(single), 1.5 * 0.5 * std::sqrt(1 / 0.9) / 2, 0.01);
  EXPECT_NEAR(std::sqrt(weighted), std::sqrt(single), 0.02);
  EXPECT_NEAR(mixed, 0, 0.03);
}

TEST_F(PrivateOracleTest, EqualCallsHaveEqualAnswersAndOthersOtherNoise) {
  const ExampleOptions options{.clip = 1, .noise_multiplier = 1, .rate = 0.5};
  const Secret key = Secret().derive("a client's");
  const PrivateOracle one = oracle(unit_samples(6), options, 10, key);
  const Called first = jacobian(one, draw(3));
  EXPECT_EQ(jacobian(oracle(unit_samples(6), options, 10, key), draw(3)), first);
  std::vector<Called> all{first, jacobian(one, draw(4)), jacobian(one, draw(3, 2)), jacobian(oracle(unit_samples(6), options), draw(3))};
  auto moved = kTheta;
  moved[5] = std::nextafter(moved[5], 7.0F);
  all.push_back(jacobian(one, draw(3), moved));
  Called single = first, weighted = first, close = first;
  one.objective_gradient(kTheta, 0, draw(3), std::span(single.rows).first(kDimension));
  one.weighted_gradient(kTheta, std::vector<double>{1, 0}, draw(3), weighted.losses, std::span(weighted.rows).first(kDimension));
  one.weighted_gradient(kTheta, std::vector<double>{std::nextafter(1.0, 2.0), 0}, draw(3), close.losses,
                        std::span(close.rows).first(kDimension));
  all.insert(all.end(), {single, weighted, close});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i].rows[0], all[j].rows[0]) << i << " " << j;
  }
}

/// Else the answers to one call in two runs, with more noise and with less or on other data, would give the sums away.
TEST_F(PrivateOracleTest, NoiseIsOfItsOwnForEachSizeAndSum) {
  const std::vector<std::vector<float>> nothing(8, std::vector<float>(kDimension));
  auto something = nothing;
  for (auto& sample : something) sample[0] = 1e-3F;
  const Called once = jacobian(oracle(nothing, {.clip = 1, .noise_multiplier = 1, .rate = 1}), draw());
  const Called twice = jacobian(oracle(nothing, {.clip = 1, .noise_multiplier = 2, .rate = 1}), draw());
  const Called longer = jacobian(oracle(nothing, {.clip = 2, .noise_multiplier = 1, .rate = 1}), draw());
  const Called other = jacobian(oracle(something, {.clip = 1, .noise_multiplier = 1, .rate = 1}), draw());
  for (std::size_t i = 0; i < once.rows.size(); ++i) {
    for (const float proportional : {twice.rows[i] / 2, longer.rows[i] / 2,
                                     other.rows[i] - (i == 0            ? 1e-3F
                                                      : i == kDimension ? 2e-3F
                                                                        : 0)}) {
      EXPECT_GT(std::abs(proportional - once.rows[i]), 1e-5F) << i;
    }
  }
}

TEST_F(PrivateOracleTest, RefusesWhatItCannotHide) {
  class Minibatches : public Vectors {
   public:
    using Vectors::Vectors;
    bool takes_single_samples() const override { return false; }
  };
  const ExampleOptions options{.clip = 1, .rate = 1};
  const auto refused = [&](std::unique_ptr<GradientOracle> inner, const ExampleOptions& with) -> std::string {
    try {
      jacobian(PrivateOracle(std::move(inner), with, 10, FixedPoint(32, 1), Secret()), draw());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused(std::make_unique<Minibatches>(unit_samples(2)), options), HasSubstr("expected a workload whose gradients are means"));
  EXPECT_THAT(refused(std::make_unique<Vectors>(unit_samples(2)), {.clip = 1, .noise_multiplier = 1e-11, .rate = 1}),
              HasSubstr("privacy.bits: expected so many binary digits"));
  EXPECT_THAT(refused(std::make_unique<Vectors>(unit_samples(2, -1)), options), HasSubstr("expected losses of at least 0"));
  EXPECT_THAT(refused(std::make_unique<Vectors>(unit_samples(2)), {.clip = 1e9, .rate = 1}), HasSubstr("expected sums and noise below"));
  EXPECT_EQ(refused(std::make_unique<Vectors>(unit_samples(2)), options), "");
}

}  // namespace
}  // namespace paretofl
