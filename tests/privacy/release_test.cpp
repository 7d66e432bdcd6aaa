#include "paretofl/privacy/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/privacy/discrete_gaussian.h"
#include "paretofl/privacy/summed_values.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const FixedPoint kFixedPoint(32, 100);

ReleaseOptions clipped_to(double clip, double noise = 0) {
  ReleaseOptions options;
  options.clip = clip;
  options.noise_multiplier = noise;
  return options;
}

Release release_of(const SumSpec& spec, const ReleaseOptions& options, std::span<const std::size_t> layers = {}) {
  return {spec, options, ClipBounds(options), kFixedPoint, layers};
}

Reply reply_with(std::vector<float> update, std::vector<double> losses = {}) {
  Reply reply;
  reply.num_samples = 7;
  reply.update = std::move(update);
  reply.losses = std::move(losses);
  return reply;
}

std::vector<double> decoded(const std::vector<std::uint64_t>& values) {
  std::vector<double> numbers;
  for (const std::uint64_t value : values) numbers.push_back(kFixedPoint.decode(value));
  return numbers;
}

double distance(const std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other, std::size_t begin, std::size_t size) {
  double square = 0;
  for (std::size_t i = begin; i < begin + size; ++i) square += std::pow(kFixedPoint.decode(one[i] - other[i]), 2);
  return std::sqrt(square);
}

TEST(Release, RefusesNoiseThatWouldHardlyEverBeAnotherNumberThanZero) {
  const FixedPoint coarse(8, 255);
  const ReleaseOptions options = clipped_to(0.001, 0.9);
  const Release release({.update = 5}, options, ClipBounds(options), coarse);
  std::vector<std::uint64_t> values(release.size());
  EXPECT_THAT([&] { release.add_noise(values, Secret().derive("key"), 1.0 / 171); },
              ThrowsMessage<Error>(HasSubstr("privacy.bits: expected so many binary digits")));
  EXPECT_THAT([&] { release.expect_wide_noise(0.5); }, ThrowsMessage<Error>(HasSubstr("privacy.bits")));
  const FixedPoint fine(32, 255);
  Release({.update = 5}, options, ClipBounds(options), fine).expect_wide_noise(1.0 / 171);
}

TEST(Release, ShortensWhatIsTooLongAndNothingElse) {
  const Release release = release_of({.update = 2}, clipped_to(5));
  EXPECT_THAT(decoded(release.values_of(reply_with({3, 4}))), testing::ElementsAre(1, 3, 4));
  EXPECT_THAT(decoded(release.values_of(reply_with({30, 40}))), testing::Pointwise(testing::DoubleNear(1e-9), {1.0, 3.0, 4.0}));
  EXPECT_THAT(decoded(release.values_of(reply_with({0, 0}))), testing::ElementsAre(1, 0, 0));
}

TEST(Release, ClipsEachObjectiveAloneOrAllAsOne) {
  ReleaseOptions options = clipped_to(100);
  options.clip_jacobian = 1;
  const SumSpec spec{.update = 4, .parts = 2};
  EXPECT_THAT(decoded(release_of(spec, options).values_of(reply_with({3, 4, 0, 0.5}))),
              testing::Pointwise(testing::DoubleNear(1e-9), {1.0, 0.6, 0.8, 0.0, 0.5}));
  options.clip_jacobian_by = "whole";
  EXPECT_THAT(decoded(release_of(spec, options).values_of(reply_with({3, 0, 0, 4}))),
              testing::Pointwise(testing::DoubleNear(1e-9), {1.0, 0.6, 0.0, 0.0, 0.8}));
}

TEST(Release, ClipsEachLayerToItsShare) {
  ReleaseOptions options = clipped_to(2);
  options.clip_by = "layer";
  const std::vector<std::size_t> layers{1, 1, 1, 1};
  EXPECT_THAT(decoded(release_of({.update = 4}, options, layers).values_of(reply_with({9, 0.5, -9, 0}))),
              testing::Pointwise(testing::DoubleNear(1e-9), {1.0, 1.0, 0.5, -1.0, 0.0}));
}

TEST(Release, CountsSamplesAfterClipping) {
  const Release release = release_of({.by_samples = true, .update = 2}, clipped_to(1));
  EXPECT_THAT(decoded(release.values_of(reply_with({3, 4}))), testing::Pointwise(testing::DoubleNear(1e-8), {7.0, 4.2, 5.6}));
}

TEST(Release, WithNoiseLeavesOutWhatOnlyTheRecordNeeds) {
  const SumSpec spec{.update = 1, .losses = 2, .figures = {{"lambda", 2}}, .loss_use = {.needed = false}, .figures_for_record = true};
  EXPECT_EQ(release_of(spec, clipped_to(1)).size(), 6U);
  const Release noised = release_of(spec, clipped_to(1, 1));
  EXPECT_EQ(noised.size(), 2U);
  EXPECT_EQ(noised.values_of(reply_with({1}, {5, 6})).size(), 2U);
  SumSpec needed = spec;
  needed.loss_use.needed = true;
  EXPECT_EQ(release_of(needed, clipped_to(1, 1)).size(), 4U);
}

/// Whatever a client sends, the vectors of two replies are no farther apart than the sensitivity that the noise is made for.
TEST(Release, NoClientChangesTheSumByMoreThanItsBound) {
  Random random({.seed = 3}, "replies");
  ReleaseOptions options = clipped_to(0.7, 1);
  options.clip_jacobian = 0.3;
  const Release release = release_of({.update = 6, .losses = 2, .parts = 3}, options);
  const auto drawn = [&] {
    std::vector<float> update;
    for (int i = 0; i < 6; ++i) update.push_back(static_cast<float>(random.normal() * std::exp(4 * random.normal())));
    return release.values_of(reply_with(std::move(update), {100 * random.normal(), random.normal()}));
  };
  const double slack = 1e-8;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto one = drawn();
    const auto other = drawn();
    EXPECT_EQ(one[0], other[0]);
    for (const std::size_t begin : {1U, 3U, 5U}) EXPECT_LE(distance(one, other, begin, 2), 2 * 0.3 + slack);
    EXPECT_LE(distance(one, other, 7, 2), 2 * 10 + slack);
  }
}

/// The standard deviation of the noise on numbers [begin, end) of sums of zeros.
double spread(const Release& release, std::size_t begin, std::size_t end, int shares = 1) {
  double square = 0;
  const int trials = 40;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::uint64_t> values(release.size());
    for (int share = 0; share < shares; ++share) {
      release.add_noise(values, Secret().derive(fmt::format("trial {} share {}", trial, share)), 1.0 / shares);
    }
    for (std::size_t i = begin; i < end; ++i) square += std::pow(kFixedPoint.decode(values[i]), 2);
    EXPECT_EQ(values[0], 0U);
  }
  return std::sqrt(square / (trials * static_cast<double>(end - begin)));
}

TEST(Release, NoiseIsTheMultiplierTimesWhatAClientCanChange) {
  // 40000 draws: the estimate's standard deviation is 0.35 % of it.
  const SumSpec update{.update = 1000};
  EXPECT_NEAR(spread(release_of(update, clipped_to(0.5, 3)), 1, 1001), 3 * 2 * 0.5, 0.05);
  ReleaseOptions poisson = clipped_to(0.5, 3);
  poisson.sampling = "poisson";
  EXPECT_NEAR(spread(release_of(update, poisson), 1, 1001), 3 * 0.5, 0.025);
  // Three vectors in one sum: each tells a third.
  ReleaseOptions rows = clipped_to(9, 3);
  rows.clip_jacobian = 0.5;
  const Release of_rows = release_of({.update = 999, .parts = 3}, rows);
  EXPECT_NEAR(spread(of_rows, 1, 1000), 3 * 2 * 0.5 * std::sqrt(3.0), 0.09);
  // As one vector, of the same bound.
  rows.clip_jacobian_by = "whole";
  EXPECT_NEAR(spread(release_of({.update = 999, .parts = 3}, rows), 1, 1000), 3 * 2 * 0.5, 0.05);
  // The shares of clients are as much together.
  EXPECT_NEAR(spread(release_of(update, clipped_to(0.5, 3)), 1, 1001, 5), 3 * 2 * 0.5, 0.05);
}

TEST(Release, TellsTheNoiseOfItsMeans) {
  ReleaseOptions options = clipped_to(2, 1);
  options.clip_jacobian = 0.5;
  const Release release = release_of({.update = 10, .figures = {{"sketch", 6}}, .parts = 2}, options);
  const std::vector<std::uint64_t> sums(release.size());
  const CohortMean mean = release.mean(sums, {}, 8);
  EXPECT_NEAR(mean.update_noise, 2 * 0.5 * std::sqrt(4.0) / 8, 1e-6);  // both in two vectors, of the jacobian's kind
  EXPECT_NEAR(mean.figure_noise, mean.update_noise, 1e-9);
  EXPECT_EQ(release_of({.update = 10}, clipped_to(2))
                .mean(std::vector<std::uint64_t>{1ULL << 32U, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {})
                .update_noise,
            0);
}

TEST(Release, NoiseMakesNoLossSmallerThanTheServerTakes) {
  SumSpec spec{.losses = 1};
  const std::vector<std::uint64_t> sums{std::uint64_t{1} << 32U, kFixedPoint.encode(-3)};
  EXPECT_EQ(release_of(spec, clipped_to(1, 1)).mean(sums, {}).losses[0], -3);
  spec.loss_use.smallest = 0;
  EXPECT_EQ(release_of(spec, clipped_to(1, 1)).mean(sums, {}).losses[0], 0);
  EXPECT_EQ(release_of(spec, clipped_to(1)).mean(sums, {}).losses[0], -3);
}

TEST(Release, ClippingFollowsTheQuantileOfTheNorms) {
  ReleaseOptions options = clipped_to(0.01, 1);
  options.adaptive_clip = true;
  options.clip_quantile = 0.5;
  options.sampling = "poisson";
  ClipBounds bounds(options);
  for (int round = 0; round < 200; ++round) {
    const Release release({.update = 1}, options, bounds, kFixedPoint, {});
    std::vector<std::uint64_t> sums(release.size());
    for (int client = 1; client <= 100; ++client) {  // norms 0.1 to 10
      const auto values = release.values_of(reply_with({0.1F * static_cast<float>(client)}));
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
    }
    release.add_noise(sums, Secret().derive(fmt::format("round {}", round)));
    release.adapt(bounds, sums, 100);
  }
  EXPECT_NEAR(bounds.of(ClipKind::kUpdate), 5, 1);
  EXPECT_EQ(bounds.of(ClipKind::kLosses), 10);  // there were none
}

TEST(Release, AdaptiveClippingTakesATenthOfWhatIsDisclosed) {
  ReleaseOptions options = clipped_to(1, 2);
  options.adaptive_clip = true;
  options.sampling = "poisson";
  const Release release = release_of({.update = 1000}, options);
  const double update = spread(release, 1, 1001);  // of sensitivity 1
  EXPECT_NEAR(update, 2 / std::sqrt(0.9), 0.04);
  const double share = 2 * std::sqrt(10.0) * 0.5;  // of sensitivity 1/2
  const Release bits = release_of({.update = 1}, options);
  double square = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<std::uint64_t> values(bits.size());
    bits.add_noise(values, Secret().derive(fmt::format("bit {}", trial)));
    square += std::pow(kFixedPoint.decode(values[2]), 2);
  }
  EXPECT_NEAR(std::sqrt(square / 4000), share, 0.06 * share);
}

TEST(Release, RefusesWhatItCannotBound) {
  EXPECT_THAT([] { release_of({.by_samples = true, .update = 1}, clipped_to(1, 1)); },
              ThrowsMessage<Error>(HasSubstr("strategy.client_weighting: expected uniform")));
  EXPECT_THAT([] { release_of({.update = 1}, clipped_to(1e6, 1)); },
              ThrowsMessage<Error>(HasSubstr("expected clipping and noise of numbers below")));
  EXPECT_THAT([] { release_of({.update = 5, .parts = 2}, clipped_to(1)); }, ThrowsMessage<Error>(HasSubstr("vectors of one size")));
  const Release release = release_of({.update = 1}, clipped_to(1));
  EXPECT_THROW(release.values_of(reply_with({std::nanf("")})), Error);
  EXPECT_THROW(release.values_of(reply_with({INFINITY})), Error);
  EXPECT_THROW(release.values_of(reply_with({1, 2})), Error);
}

TEST(ReleaseOptions, FitEachOther) {
  const auto refused = [](const std::function<void(ReleaseOptions&)>& change) {
    ReleaseOptions options = clipped_to(1, 1);
    options.check();
    change(options);
    try {
      options.check();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused([](auto& o) { o.clip = 0; }), HasSubstr("privacy.clip: expected a positive number"));
  EXPECT_THAT(refused([](auto& o) { o.clip_losses = 0; }), HasSubstr("privacy.clip_losses"));
  EXPECT_THAT(refused([](auto& o) { o.noise_multiplier = 1e-3; }), HasSubstr("privacy: noise multiplier"));
  EXPECT_THAT(refused([](auto& o) { o.accountant = "pld"; }), HasSubstr("privacy.accountant: expected rdp"));
  EXPECT_THAT(refused([](auto& o) { o.delta = 0; }), HasSubstr("privacy: delta"));
  EXPECT_THAT(refused([](auto& o) { o.noise_multiplier = 0, o.adaptive_clip = true; }), HasSubstr("privacy.adaptive_clip"));
  EXPECT_THAT(refused([](auto& o) { o.noise_multiplier = 0, o.sampling = "poisson"; }), HasSubstr("privacy.sampling"));
  EXPECT_THAT(refused([](auto& o) { o.noise_multiplier = 0, o.clip = 0, o.clip_by = "layer"; }),
              HasSubstr("with privacy.clip_by, found 0"));
  EXPECT_THAT(refused([](auto& o) { o.noise_multiplier = 0, o.clip = 0, o.clip_jacobian = 1; }),
              HasSubstr("with privacy.clip_jacobian, found 0"));
  EXPECT_THAT(refused([](auto& o) { o.noise_multiplier = 0, o.clip = 0, o.clip_jacobian_by = "whole"; }),
              HasSubstr("with privacy.clip_jacobian_by, found 0"));
}

/// Chi-square of draws against the exact probabilities; the tails are one cell each.
double chi_square(double deviation, int draws, int cells) {
  DiscreteGaussian noise(deviation, Secret().derive("chi-square"));
  std::vector<double> found(static_cast<std::size_t>(2 * cells + 1));
  for (int i = 0; i < draws; ++i) found[static_cast<std::size_t>(std::clamp<std::int64_t>(noise(), -cells, cells) + cells)] += 1;
  std::vector<double> expected(found.size());
  double total = 0;
  for (int x = -200; x <= 200; ++x) {
    const double weight = std::exp(-x * x / (2 * deviation * deviation));
    expected[static_cast<std::size_t>(std::clamp(x, -cells, cells) + cells)] += weight;
    total += weight;
  }
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double mean = draws * expected[i] / total;
    sum += (found[i] - mean) * (found[i] - mean) / mean;
  }
  return sum;
}

TEST(DiscreteGaussian, HasTheExactProbabilities) {
  // 99.99 % quantiles for 4, 8 and 24 degrees of freedom.
  EXPECT_LT(chi_square(0.7, 100000, 2), 23.5);
  EXPECT_LT(chi_square(2, 100000, 4), 31.8);
  EXPECT_LT(chi_square(7.5, 100000, 12), 58.6);
}

TEST(DiscreteGaussian, LargeOnesAreNormal) {
  const double deviation = std::ldexp(1.0, 40) * 1.3;
  DiscreteGaussian noise(deviation, Secret().derive("large"));
  const int draws = 100000;
  double mean = 0, square = 0, fourth = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = static_cast<double>(noise()) / deviation;
    mean += x / draws;
    square += x * x / draws;
    fourth += x * x * x * x / draws;
  }
  EXPECT_NEAR(mean, 0, 4 / std::sqrt(draws));
  EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0 / draws));
  EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / draws));
}

TEST(DiscreteGaussian, FollowsFromItsKey) {
  DiscreteGaussian one(1e9, Secret().derive("a")), same(1e9, Secret().derive("a")), other(1e9, Secret().derive("b"));
  const std::int64_t first = one();
  EXPECT_EQ(same(), first);
  EXPECT_NE(other(), first);
  EXPECT_EQ(DiscreteGaussian(0, Secret())(), 0);
  EXPECT_THROW(DiscreteGaussian(-1, Secret()), Error);
  EXPECT_THROW(DiscreteGaussian(1e300, Secret()), Error);
}

}  // namespace
}  // namespace paretofl
