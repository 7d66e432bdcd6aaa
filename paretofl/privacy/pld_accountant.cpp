#include "paretofl/privacy/pld_accountant.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

#include "paretofl/core/error.h"
#include "paretofl/privacy/log_space.h"

namespace paretofl {
namespace {

constexpr double kInterval = 1e-4;
constexpr double kMostIntervals = 1 << 22;      // of a composed distribution
constexpr double kMostStepIntervals = 1 << 20;  // of a step's
constexpr double kTailMass = 1e-15;

struct CountedLoss {
  PrivacyLoss loss;
  double count;
};

/// The tightest of Chernoff's bounds on the sum of all losses, upwards (side = 1) or downwards (side = -1): beyond it lies at most
/// kTailMass. Infinite losses are left out.
double chernoff_bound(const std::vector<CountedLoss>& losses, int side) {
  const auto extreme = [side](const PrivacyLoss& loss) { return side * loss.loss(side > 0 ? loss.masses.size() - 1 : 0); };
  double best = 0;  // the sum of the extremes
  for (const auto& [loss, count] : losses) best += count * std::max(0.0, extreme(loss));
  for (double lambda = 0x1p-14; lambda <= 0x1p20; lambda *= 2) {
    double exponent = -std::log(kTailMass);
    for (const auto& [loss, count] : losses) {
      // E[e^(side lambda (loss - extreme))], whose powers are those of one factor, by Horner's rule.
      const double factor = std::exp(-lambda * loss.interval);
      const std::size_t size = loss.masses.size();
      double mean = 0;
      for (std::size_t i = 0; i < size; ++i) mean = mean * factor + loss.masses[side > 0 ? i : size - 1 - i];
      if (mean > 0) exponent += count * std::log(mean);  // at most 0, where it underflows
      exponent += count * lambda * extreme(loss);
    }
    best = std::min(best, exponent / lambda);
  }
  return side * best;
}

std::vector<CountedLoss> discretized(const std::map<SampledGaussian, std::int64_t>& counts, Neighbour from, double interval) {
  std::vector<CountedLoss> losses;
  for (const auto& [step, count] : counts) losses.push_back({discretized_loss(step, from, interval), static_cast<double>(count)});
  return losses;
}

/// The distribution of the sum of all losses on `size` grid points from `first`; what is beyond wraps around.
PrivacyLoss convolved(const std::vector<CountedLoss>& losses, std::int64_t first, std::size_t size) {
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> product, spectrum;
  std::vector<double> wrapped;
  double log_finite = 0;
  for (const auto& [loss, count] : losses) {
    wrapped.assign(size, 0);
    const auto period = static_cast<std::int64_t>(size);
    for (std::size_t i = 0; i < loss.masses.size(); ++i) {
      const std::int64_t place = (loss.first + static_cast<std::int64_t>(i)) % period;
      wrapped[static_cast<std::size_t>(place < 0 ? place + period : place)] += loss.masses[i];
    }
    fft.fwd(spectrum, wrapped);
    if (product.empty()) product.assign(spectrum.size(), 1);
    for (std::size_t i = 0; i < product.size(); ++i) product[i] *= std::pow(spectrum[i], count);
    log_finite += count * std::log1p(-loss.infinite);
  }
  fft.inv(wrapped, product, static_cast<Eigen::Index>(size));
  PrivacyLoss sum{losses.front().loss.interval, first, std::vector<double>(size), kTailMass - std::expm1(log_finite)};
  const auto period = static_cast<std::int64_t>(size);
  for (std::int64_t i = 0; i < period; ++i) {
    const std::int64_t place = (first + i) % period;
    sum.masses[static_cast<std::size_t>(i)] = std::max(0.0, wrapped[static_cast<std::size_t>(place < 0 ? place + period : place)]);
  }
  return sum;
}

}  // namespace

void PldAccountant::add(double noise_multiplier, const CohortSampling& sampling, std::int64_t count) {
  check_noise_multiplier(noise_multiplier);
  check_step_count(count);
  expect(sampling.kind == CohortSampling::Kind::kPoisson,
         "pld accountant: expected Poisson sampling, found sampling of a fixed size, whose privacy loss distribution is not known; the "
         "accountant rdp has a bound for it");
  if (count == 0) return;
  moments_.add(noise_multiplier, sampling, count);
  if (sampling.rate == 1) {
    precision_ += static_cast<double>(count) / (noise_multiplier * noise_multiplier);
  } else {
    counts_[{noise_multiplier, sampling.rate}] += count;
  }
}

double PldAccountant::epsilon(double delta) const {
  check_delta(delta);
  if (counts_.empty() && precision_ == 0) return 0;
  // A bound too, and the smaller one where a tiny delta is of the size of the FFT's rounding errors.
  const double renyi = moments_.epsilon(delta);
  return std::min(renyi, std::max(composed(Neighbour::kWith).epsilon(delta), composed(Neighbour::kWithout).epsilon(delta)));
}

PrivacyLoss PldAccountant::composed(Neighbour from) const {
  std::map<SampledGaussian, std::int64_t> counts = counts_;
  if (precision_ > 0) counts[{1 / std::sqrt(precision_), 1}] = 1;
  double interval = kInterval;
  for (const auto& [step, count] : counts) {
    const auto [low, high] = loss_range(step, from);
    interval = std::max(interval, (high - low) / kMostStepIntervals);
  }
  while (true) {
    std::vector<CountedLoss> losses = discretized(counts, from, interval);
    if (losses.size() == 1 && losses[0].count == 1) return std::move(losses[0].loss);
    const double low = chernoff_bound(losses, -1), high = chernoff_bound(losses, 1);
    const double width = std::max(0.0, high - low);
    if (width > kMostIntervals * interval) {
      interval = 1.01 * width / kMostIntervals;
      continue;
    }
    const auto first = static_cast<std::int64_t>(std::floor(low / interval));
    std::size_t size = 2;
    while (static_cast<double>(size) < width / interval + 2) size *= 2;
    return convolved(losses, first, size);
  }
}

}  // namespace paretofl
