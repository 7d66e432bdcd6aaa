#include "paretofl/privacy/release.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/privacy/discrete_gaussian.h"
#include "paretofl/privacy/summed_values.h"

namespace paretofl {
namespace {

constexpr double kShareOfBits = 0.1;   // of what a release discloses
constexpr double kBitBound = 0.5;      // shares below a bound are summed less a half
constexpr double kFarthestNoise = 40;  // standard deviations; beyond, with a probability below 1e-300

SumSpec without_what_only_the_record_needs(SumSpec spec) {
  if (!spec.loss_use.needed) spec.losses = 0;
  if (spec.figures_for_record) spec.figures.clear();
  return spec;
}

double norm_of(std::span<const double> values) {
  double square = 0;
  for (const double value : values) square += value * value;
  return std::sqrt(square);
}

}  // namespace

Release::Release(const SumSpec& spec, const ReleaseOptions& options, const ClipBounds& bounds, const FixedPoint& fixed_point,
                 std::span<const std::size_t> layers)
    : spec_(options.noisy() ? without_what_only_the_record_needs(spec) : spec),
      options_(options),
      bounds_(bounds),
      fixed_point_(fixed_point) {
  size_ = 1 + spec_.size();
  if (!options.clips()) return;
  expect(!options.noisy() || !spec.by_samples, "strategy.client_weighting: expected uniform with privacy.noise_multiplier, found samples");
  std::size_t at = 1;
  add_vectors(spec_.parts > 1 ? ClipKind::kJacobian : ClipKind::kUpdate, at, spec_.update, spec_.parts, layers);
  at += spec_.update;
  add_vectors(ClipKind::kLosses, at, spec_.losses, 1, {});
  at += spec_.losses;
  for (const auto& [name, count] : spec_.figures) {
    add_vectors(ClipKind::kJacobian, at, count, spec_.parts, {});
    at += count;
  }
  if (options.adaptive_clip) std::copy_if(kClipKinds.begin(), kClipKinds.end(), std::back_inserter(bits_), [&](auto k) { return has(k); });
  size_ += bits_.size();
  for (const Vector& vector : vectors_) {
    const double largest = bounds_.of(vector.kind) + kFarthestNoise * deviation(vector);
    expect(largest < fixed_point_.bound(), "privacy: expected clipping and noise of numbers below {} in a sum, found {}",
           fixed_point_.bound(), largest);
  }
}

void Release::add_vectors(ClipKind kind, std::size_t begin, std::size_t size, std::size_t parts, std::span<const std::size_t> layers) {
  if (size == 0) return;
  if (kind == ClipKind::kJacobian && options_.clip_jacobian_by == "whole") parts = 1;
  expect(parts >= 1 && size % parts == 0, "sum over the cohort: expected {} vectors of one size, found {} numbers", parts, size);
  const std::size_t each = size / parts;
  const bool by_layer = options_.clip_by == "layer" && std::accumulate(layers.begin(), layers.end(), std::size_t{0}) == each;
  for (std::size_t k = 0; k < parts; ++k) {
    vectors_.push_back({kind, begin + k * each, each, {each}});
    if (by_layer) vectors_.back().pieces.assign(layers.begin(), layers.end());
  }
}

bool Release::has(ClipKind kind) const {
  return std::any_of(vectors_.begin(), vectors_.end(), [&](const Vector& vector) { return vector.kind == kind; });
}

/// By how much one client can change the sum of such vectors, the rounding of their numbers counted.
double Release::sensitivity(double bound, std::size_t size) const {
  const double rounded = bound + 0.5 * fixed_point_.resolution() * std::sqrt(static_cast<double>(size));
  return options_.poisson() ? rounded : 2 * rounded;
}

double Release::deviation(const Vector& vector) const {
  const double share = (bits_.empty() ? 1 : 1 - kShareOfBits) / static_cast<double>(vectors_.size());
  return options_.noise_multiplier / std::sqrt(share) * sensitivity(bounds_.of(vector.kind), vector.size);
}

double Release::bit_deviation() const {
  return options_.noise_multiplier * std::sqrt(static_cast<double>(bits_.size()) / kShareOfBits) * sensitivity(kBitBound, 1);
}

std::vector<std::uint64_t> Release::values_of(const Reply& reply) const {
  std::vector<double> values = summed_values(reply, spec_);
  const double weight = values[0];
  std::array<double, kClipKinds.size()> pieces{};
  std::array<double, kClipKinds.size()> below{};
  for (const Vector& vector : vectors_) {
    const auto kind = static_cast<std::size_t>(vector.kind);
    const double limit = weight * bounds_.of(vector.kind) / std::sqrt(static_cast<double>(vector.pieces.size()));
    std::size_t begin = vector.begin;
    for (const std::size_t size : vector.pieces) {
      const auto piece = std::span(values).subspan(begin, size);
      const double norm = norm_of(piece);
      expect(std::isfinite(norm), "sum over the cohort: expected numbers with a finite norm, found others");
      pieces[kind] += 1;
      if (norm <= limit) {
        below[kind] += 1;
      } else {
        for (double& value : piece) value *= limit / norm;
      }
      begin += size;
    }
  }
  for (const ClipKind kind : bits_) {
    const auto at = static_cast<std::size_t>(kind);
    values.push_back(below[at] / pieces[at] - kBitBound);
  }
  std::vector<std::uint64_t> encoded;
  encoded.reserve(values.size());
  for (const double value : values) encoded.push_back(fixed_point_.encode(value));
  return encoded;
}

void Release::expect_wide_noise(double share) const {
  if (!options_.noisy()) return;
  double narrowest = bits_.empty() ? kInfinity : bit_deviation();
  for (const Vector& vector : vectors_) narrowest = std::min(narrowest, deviation(vector));
  const double found = std::sqrt(share) * narrowest / fixed_point_.resolution();
  expect(found >= kNarrowestNoise,
         "privacy.bits: expected so many binary digits that each part of the noise has a standard deviation of at least {} in the last of "
         "them, "
         "found {:.3g}",
         kNarrowestNoise, found);
}

void Release::add_noise(std::span<std::uint64_t> values, const Secret& key, double share) const {
  if (!options_.noisy()) return;
  expect_wide_noise(share);
  const double scale = std::sqrt(share) / fixed_point_.resolution();
  const auto add = [&](std::size_t begin, std::size_t size, double deviation) {
    DiscreteGaussian noise(scale * deviation, key.derive(fmt::format("noise from number {} on", begin)));
    for (std::uint64_t& value : values.subspan(begin, size)) value += static_cast<std::uint64_t>(noise());
  };
  for (const Vector& vector : vectors_) add(vector.begin, vector.size, deviation(vector));
  if (!bits_.empty()) add(size_ - bits_.size(), bits_.size(), bit_deviation());
}

CohortMean Release::mean(std::span<const std::uint64_t> sums, Cohort cohort, std::optional<double> weight) const {
  std::vector<double> decoded;
  decoded.reserve(sums.size());
  for (const std::uint64_t sum : sums.first(size_ - bits_.size())) decoded.push_back(fixed_point_.decode(sum));
  if (weight) decoded[0] = *weight;
  CohortMean mean = mean_of_sums(decoded, spec_, std::move(cohort));
  if (!options_.noisy()) return mean;
  for (double& loss : mean.losses) loss = std::max(loss, spec_.loss_use.smallest);
  for (const Vector& vector : vectors_) {
    const double noise = deviation(vector) / mean.weight;
    if (vector.begin < 1 + spec_.update) {
      mean.update_noise = noise;
    } else if (vector.kind == ClipKind::kJacobian) {
      mean.figure_noise = noise;
    }
  }
  return mean;
}

void Release::adapt(ClipBounds& bounds, std::span<const std::uint64_t> sums, double weight) const {
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    const double below = fixed_point_.decode(sums[size_ - bits_.size() + i]) / weight + kBitBound;
    bounds.adapt(bits_[i], below, options_);
  }
}

}  // namespace paretofl
