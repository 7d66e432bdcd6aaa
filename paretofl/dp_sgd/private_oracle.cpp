#include "paretofl/dp_sgd/private_oracle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/core/sha256.h"
#include "paretofl/privacy/discrete_gaussian.h"
#include "paretofl/secure_sums/key_stream.h"

namespace paretofl {
namespace {

constexpr double kShareOfLosses = 0.1;  // of what a call discloses
constexpr double kFarthestNoise = 40;   // standard deviations; beyond, with a probability below 1e-300

/// Whether a sample with this probability is in the minibatch.
bool drawn(KeyStream& bits, double probability) { return static_cast<double>(bits.next() >> 11U) * 0x1p-53 < probability; }

}  // namespace

PrivateOracle::PrivateOracle(std::unique_ptr<GradientOracle> inner, const ExampleOptions& options, double loss_clip,
                             const FixedPoint& fixed_point, const Secret& key)
    : inner_(std::move(inner)), options_(options), loss_clip_(loss_clip), fixed_point_(fixed_point), key_(key) {
  expect(inner_->takes_single_samples(),
         "privacy.example_clip: expected a workload whose gradients are means over the samples of a minibatch, found another");
  const double noise = options_.noise_multiplier * std::sqrt(static_cast<double>(num_objectives()) / kShareOfLosses);
  const double largest = std::max(options_.clip, loss_clip_) * (num_samples() + kFarthestNoise * noise);
  expect(largest < fixed_point_.bound(), "privacy.example_clip: expected sums and noise below {} with privacy.bits, found {}",
         fixed_point_.bound(), largest);
}

void PrivateOracle::jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const {
  release("jacobian", GradientTerms::jacobian(num_objectives()), theta, draw, losses, jacobian);
}

void PrivateOracle::weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                                      std::span<double> losses, std::span<float> gradient) const {
  release(fmt::format("weights {}", fmt::join(objective_weights, " ")), GradientTerms::weighted(objective_weights), theta, draw, losses,
          gradient);
}

double PrivateOracle::objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                                         std::span<float> gradient) const {
  double loss = 0;
  release(fmt::format("objective {}", objective), GradientTerms::of_objective(objective), theta, draw, {&loss, 1}, gradient);
  return loss;
}

void PrivateOracle::release(const std::string& name, const GradientTerms& terms, std::span<const float> theta, const Draw& draw,
                            std::span<double> losses, std::span<float> gradients) const {
  const Secret key = key_of(name, theta, draw);
  KeyStream chance(key.derive("samples"));
  std::vector<std::uint32_t> samples;
  const auto count = static_cast<std::uint32_t>(num_samples());
  for (std::uint32_t sample = 0; sample < count; ++sample) {
    if (drawn(chance, options_.rate)) samples.push_back(sample);
  }
  std::vector<double> sums(gradients.size()), loss_sums(losses.size());
  // What is random of a sample, such as its augmentation, may depend on how many come before it, and so has to be secret too.
  std::uint64_t seed = 0;
  std::memcpy(&seed, key.derive("augmentation").bytes().data(), sizeof(seed));
  inner_->add_clipped_samples(theta, terms, samples, {Random({.seed = seed}, "augmentation")},
                              {.clip = options_.clip, .loss_clip = loss_clip_, .losses = loss_sums, .gradients = sums});
  // Rounding moves each number of a sum by at most half of the resolution, and so the difference of two sums by no more than it.
  const auto rounding = [&](std::size_t size) { return std::sqrt(static_cast<double>(size)) * fixed_point_.resolution(); };
  const double each = options_.noise_multiplier * std::sqrt(static_cast<double>(terms.vectors) / (1 - kShareOfLosses));
  write_means<float>(sums, each * (options_.clip + rounding(gradients.size() / terms.vectors)), key.derive("gradients"), gradients);
  write_means<double>(loss_sums, options_.noise_multiplier / std::sqrt(kShareOfLosses) * (loss_clip_ + rounding(losses.size())),
                      key.derive("losses"), losses);
  for (double& loss : losses) loss = std::max(loss, 0.0);
}

Secret PrivateOracle::key_of(const std::string& name, std::span<const float> theta, const Draw& draw) const {
  Random identity = draw.stream.substream("call", static_cast<std::uint64_t>(draw.step));
  return key_.derive(fmt::format("{}, clip {} {}, rate {}, draw {:08x}{:08x}{:08x}{:08x}, theta {}", name, options_.clip, loss_clip_,
                                 options_.rate, identity(), identity(), identity(), identity(), sha256_hex(std::as_bytes(theta))));
}

template <class T>
void PrivateOracle::write_means(std::span<const double> sums, double deviation, const Secret& key, std::span<T> means) const {
  std::vector<std::uint64_t> numbers;
  for (const double sum : sums) numbers.push_back(fixed_point_.encode(sum));
  const Secret own = key.derive(fmt::format("deviation {}, sums {}", deviation, sha256_hex(std::as_bytes(std::span(numbers)))));
  const double width = deviation / fixed_point_.resolution();
  expect(width == 0 || width >= kNarrowestNoise,
         "privacy.bits: expected so many binary digits that the noise of a gradient has a standard deviation of at least {} in the last of "
         "them, "
         "found {:.3g}",
         kNarrowestNoise, width);
  DiscreteGaussian noise(width, own);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    means[i] = static_cast<T>(fixed_point_.decode(numbers[i] + static_cast<std::uint64_t>(noise())) / expected_samples());
  }
}

}  // namespace paretofl
