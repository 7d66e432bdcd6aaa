#include "paretofl/privacy/privacy_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/privacy/log_space.h"

namespace paretofl {
namespace {

constexpr double kCut = 10;  // standard deviations of the noise beyond which outputs are cut off, with probability 7.6e-24

/// The outputs x ~ N(0, z^2) without the client, and the mixture of N(0, z^2) and N(1, z^2) with it.
class Outputs {
 public:
  explicit Outputs(const SampledGaussian& step)
      : noise_(step.noise_multiplier), log_rate_(std::log(step.rate)), log_rest_(std::log1p(-step.rate)), rate_(step.rate) {}

  /// log of the densities' ratio, with the client over without, which grows with x.
  double ratio(double x) const { return log_add(log_rest_, log_rate_ + (x - 0.5) / (noise_ * noise_)); }

  /// The x at which it is the given one; minus infinity where it is larger everywhere.
  double at_ratio(double ratio) const {
    if (rate_ == 1) return 0.5 + noise_ * noise_ * ratio;
    // log((e^ratio - 1 + q) / q), without overflow and without cancellation.
    const double excess = ratio > 1 ? ratio + std::log1p(-std::exp(log_rest_ - ratio)) - log_rate_ : std::log1p(std::expm1(ratio) / rate_);
    return ratio > log_rest_ && !std::isnan(excess) ? 0.5 + noise_ * noise_ * excess : -std::numeric_limits<double>::infinity();
  }

  double log_mass_without(double low, double high) const { return log_normal_mass(low / noise_, high / noise_); }
  double log_mass_with(double low, double high) const {
    return log_add(log_rest_ + log_mass_without(low, high), log_rate_ + log_normal_mass((low - 1) / noise_, (high - 1) / noise_));
  }

  double lowest() const { return -kCut * noise_; }
  double highest(Neighbour from) const { return kCut * noise_ + (from == Neighbour::kWith ? 1 : 0); }

 private:
  double noise_, log_rate_, log_rest_, rate_;
};

}  // namespace

double PrivacyLoss::epsilon(double delta) const {
  if (infinite > delta) return std::numeric_limits<double>::infinity();
  double mass = infinite;  // of the losses from the current one up
  double discounted = 0;   // sum of masses e^(current loss - loss)
  for (std::size_t i = masses.size(); i-- > 0;) {
    mass += masses[i];
    discounted = discounted * std::exp(-interval) + masses[i];
    if (mass - delta <= 0) continue;
    // Between this loss and the next lower one, the divergence is mass - e^(epsilon - loss) discounted.
    const double found = loss(i) + std::log((mass - delta) / discounted);
    if (i == 0 || found >= loss(i - 1)) return std::max(0.0, found);
    if (loss(i) < 0) return 0;
  }
  return 0;
}

LossRange loss_range(const SampledGaussian& step, Neighbour from) {
  const Outputs outputs(step);
  const double low = outputs.ratio(outputs.lowest()), high = outputs.ratio(outputs.highest(from));
  return from == Neighbour::kWith ? LossRange{low, high} : LossRange{-high, -low};
}

PrivacyLoss discretized_loss(const SampledGaussian& step, Neighbour from, double interval) {
  const Outputs outputs(step);
  const LossRange range = loss_range(step, from);
  PrivacyLoss result{interval, static_cast<std::int64_t>(std::floor(range.low / interval)), {}, 0};
  const auto last = static_cast<std::int64_t>(std::ceil(range.high / interval));
  result.masses.resize(static_cast<std::size_t>(last - result.first + 1));
  const double infinity = std::numeric_limits<double>::infinity();
  const auto log_mass = [&](bool with, double low, double high) {
    return with ? outputs.log_mass_with(low, high) : outputs.log_mass_without(low, high);
  };
  const bool with = from == Neighbour::kWith;
  // Outputs between two losses; with the client the loss grows with x, without it falls.
  const auto x_at = [&](double loss) { return outputs.at_ratio(with ? loss : -loss); };

  double x = x_at(result.loss(0));
  result.masses.front() = std::exp(with ? log_mass(with, -infinity, x) : log_mass(with, x, infinity));
  for (std::size_t i = 0; i + 1 < result.masses.size(); ++i) {
    const double next = x_at(result.loss(i + 1));
    const double low = std::min(x, next), high = std::max(x, next);
    const double log_p = log_mass(with, low, high);
    const double p = std::exp(log_p);
    if (p > 0) {
      // The mean of e^(lower end - loss) over the interval, from e^-interval to 1, decides how much goes to which end.
      const double mean = std::exp(log_mass(!with, low, high) - log_p + result.loss(i));
      const double above = std::clamp((1 - mean) / -std::expm1(-interval), 0.0, 1.0) * p;
      result.masses[i] += p - above;
      result.masses[i + 1] += above;
    }
    x = next;
  }
  result.infinite = std::exp(with ? log_mass(with, x, infinity) : log_mass(with, -infinity, x));
  return result;
}

}  // namespace paretofl
