#include "paretofl/dp_sgd/private_oracle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/core/sha256.h"
#include "paretofl/privacy/discrete_gaussian.h"
#include "paretofl/privacy/key_stream.h"

namespace paretofl {
namespace {

constexpr double kShareOfLosses = 0.1;  // of what a call discloses
constexpr double kFarthestNoise = 40;   // standard deviations; beyond, with a probability below 1e-300

/// Whether a sample with this probability is in the minibatch.
bool drawn(KeyStream& bits, double probability) { return std::ldexp(static_cast<double>(bits.next() >> 11U), -53) < probability; }

/// What makes the vector no longer than `bound`.
template <class T>
double clipping(std::span<const T> vector, double bound) {
  double square = 0;
  for (const T x : vector) square += static_cast<double>(x) * static_cast<double>(x);
  expect(std::isfinite(square), "privacy.example_clip: expected finite losses and gradients of each sample, found others");
  const double norm = std::sqrt(square);
  return norm > bound ? bound / norm : 1;
}

template <class T>
void add_clipped(std::span<const T> vector, double bound, std::span<double> sum) {
  const double factor = clipping(vector, bound);
  for (std::size_t i = 0; i < vector.size(); ++i) sum[i] += factor * static_cast<double>(vector[i]);
}

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
  release(
      "jacobian", theta, draw, num_objectives(),
      [&](const Draw& one, std::span<double> sample_losses, std::span<float> rows) { inner_->jacobian(theta, one, sample_losses, rows); },
      losses, jacobian);
}

void PrivateOracle::weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                                      std::span<double> losses, std::span<float> gradient) const {
  release(
      fmt::format("weights {}", fmt::join(objective_weights, " ")), theta, draw, 1,
      [&](const Draw& one, std::span<double> sample_losses, std::span<float> row) {
        inner_->weighted_gradient(theta, objective_weights, one, sample_losses, row);
      },
      losses, gradient);
}

double PrivateOracle::objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                                         std::span<float> gradient) const {
  double loss = 0;
  release(
      fmt::format("objective {}", objective), theta, draw, 1,
      [&](const Draw& one, std::span<double> sample_loss, std::span<float> row) {
        sample_loss[0] = inner_->objective_gradient(theta, objective, one, row);
      },
      {&loss, 1}, gradient);
  return loss;
}

void PrivateOracle::release(const std::string& name, std::span<const float> theta, const Draw& draw, std::size_t vectors,
                            const OfSample& of_sample, std::span<double> losses, std::span<float> gradients) const {
  const Secret key = key_of(name, theta, draw);
  KeyStream chance(key.derive("samples"));
  std::vector<double> sums(gradients.size()), loss_sums(losses.size()), sample_losses(losses.size());
  std::vector<float> sample_gradients(gradients.size());
  const std::size_t width = gradients.size() / vectors;
  const auto count = static_cast<std::uint32_t>(num_samples());
  for (std::uint32_t sample = 0; sample < count; ++sample) {
    if (!drawn(chance, options_.rate)) continue;
    of_sample({draw.stream.substream("sample", sample), draw.step, sample}, sample_losses, sample_gradients);
    for (const double loss : sample_losses) {
      expect(!(loss < 0), "privacy.example_clip: expected losses of at least 0 for each sample, found {}", loss);
    }
    add_clipped<double>(sample_losses, loss_clip_, loss_sums);
    for (std::size_t v = 0; v < vectors; ++v) {
      add_clipped<float>(std::span(sample_gradients).subspan(v * width, width), options_.clip, std::span(sums).subspan(v * width, width));
    }
  }
  // Rounding moves each number of a sum by at most half of the resolution, and so the difference of two sums by no more than it.
  const auto rounding = [&](std::size_t size) { return std::sqrt(static_cast<double>(size)) * fixed_point_.resolution(); };
  const double each = options_.noise_multiplier * std::sqrt(static_cast<double>(vectors) / (1 - kShareOfLosses));
  write_means<float>(sums, each * (options_.clip + rounding(width)), key.derive("gradients"), gradients);
  write_means<double>(loss_sums, options_.noise_multiplier / std::sqrt(kShareOfLosses) * (loss_clip_ + rounding(losses.size())),
                      key.derive("losses"), losses);
  for (double& loss : losses) loss = std::max(loss, 0.0);
}

Secret PrivateOracle::key_of(const std::string& name, std::span<const float> theta, const Draw& draw) const {
  Random identity = draw.stream.substream("call", static_cast<std::uint64_t>(draw.step));
  return key_.derive(fmt::format("{}, draw {:08x}{:08x}{:08x}{:08x}, theta {}", name, identity(), identity(), identity(), identity(),
                                 sha256_hex(std::as_bytes(theta))));
}

template <class T>
void PrivateOracle::write_means(std::span<const double> sums, double deviation, const Secret& key, std::span<T> means) const {
  DiscreteGaussian noise(deviation / fixed_point_.resolution(), key);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::uint64_t sum = fixed_point_.encode(sums[i]) + static_cast<std::uint64_t>(noise());
    means[i] = static_cast<T>(fixed_point_.decode(sum) / expected_samples());
  }
}

}  // namespace paretofl
