#include "paretofl/privacy/gaussian_rdp.h"

#include <algorithm>
#include <cmath>

#include "paretofl/privacy/log_space.h"

namespace paretofl {
namespace {

constexpr double kTail = 14;  // standard deviations beyond which integrands vanish
constexpr double kStep = 0.125;

bool is_integer(double order) { return order == std::floor(order); }

/// log A_alpha for an integer alpha: A_alpha - 1 = sum_{k >= 2} C(alpha, k) (1 - q)^(alpha - k) q^k (e^((k^2 - k) / 2 z^2) - 1), whose
/// terms are all positive.
double log_moment_poisson(double q, double noise, int alpha) {
  double rest = kLogZero;
  for (int k = 2; k <= alpha; ++k) {
    const double exponent = 0.5 * k * (k - 1) / (noise * noise);
    const double log_term = log_binomial(alpha, k) + (alpha - k) * std::log1p(-q) + k * std::log(q);
    rest = log_add(rest, log_term + log_subtract(exponent, 0));
  }
  return log_add(0, rest);
}

/// log A_alpha = log E[(1 - q + q e^((2 x - 1) / 2 z^2))^alpha], x ~ N(0, z^2).
double log_moment_poisson(double q, double noise, double alpha) {
  const double log_q = std::log(q), log_rest = std::log1p(-q);
  const auto log_ratio = [&](double x) { return alpha * log_add(log_rest, log_q + x / noise - 0.5 / (noise * noise)); };
  return std::max(0.0, log_normal_mean(log_ratio, -kTail, alpha / noise + kTail, std::min(0.05, noise / 2)));
}

/// log E[(p(x) / q(x) - 1)^l] for even l, where p and q are the Gaussians of two neighbours and x ~ q: the finite differences B(l) of
/// Theorem 27 as the integral that they stand for, since they cancel.
double log_even_difference(double noise, int l) {
  const auto log_power = [&](double x) {
    const double exponent = x / noise - 0.5 / (noise * noise);
    const double log_magnitude = exponent > 0 ? log_subtract(exponent, 0) : log_subtract(0, exponent);
    return l * log_magnitude;
  };
  // Where p is the larger and where it is the smaller density, the integrand has a peak of at most the Gaussian's width each.
  const double spread = std::sqrt(static_cast<double>(l)) + kTail, peak = l / noise;
  if (peak - kTail <= 0.5 / noise) return log_normal_mean(log_power, -spread, peak + spread, kStep);
  return log_add(log_normal_mean(log_power, -spread, 0.5 / noise, kStep), log_normal_mean(log_power, peak - kTail, peak + spread, kStep));
}

/// Theorem 27, for all integers up to the largest one at once.
class FixedSizeMoments {
 public:
  FixedSizeMoments(double rate, double noise, int largest) : rate_(rate), noise_(noise) {
    for (int l = 2; l <= largest + 1; l += 2) even_.push_back(log_even_difference(noise, l));
  }

  double log_moment(int alpha) const {
    double rest = kLogZero;
    for (int j = 2; j <= alpha; ++j) rest = log_add(rest, j * std::log(rate_) + log_binomial(alpha, j) + log_divergence(j));
    return log_add(0, rest);
  }

 private:
  double log_divergence(int j) const {
    const double gaussian = 0.5 * j * (j - 1) / (noise_ * noise_);  // (j - 1) times the Gaussian's rdp at j
    const double coarse = std::log(2) + gaussian;
    if (j == 2) return std::min(coarse, std::log(4) + log_subtract(gaussian, 0));
    const auto even = [&](int l) { return even_[static_cast<std::size_t>(l / 2 - 1)]; };
    return std::min(coarse, std::log(4) + 0.5 * (even(j - j % 2) + even(j + j % 2)));
  }

  double rate_, noise_;
  std::vector<double> even_;  // log B(2), log B(4), ...
};

}  // namespace

std::vector<double> gaussian_rdp(double noise_multiplier, const CohortSampling& sampling, std::span<const double> orders) {
  std::vector<double> rdp;
  const double q = sampling.rate;
  const auto without_sampling = [&](double alpha) { return alpha / (2 * noise_multiplier * noise_multiplier); };
  if (q == 1) {
    for (const double alpha : orders) rdp.push_back(without_sampling(alpha));
  } else if (sampling.kind == CohortSampling::Kind::kPoisson) {
    for (const double alpha : orders) {
      const double moment = is_integer(alpha) ? log_moment_poisson(q, noise_multiplier, static_cast<int>(alpha))
                                              : log_moment_poisson(q, noise_multiplier, alpha);
      rdp.push_back(moment / (alpha - 1));
    }
  } else {
    const FixedSizeMoments moments(q, noise_multiplier, static_cast<int>(std::ceil(*std::max_element(orders.begin(), orders.end()))));
    for (const double alpha : orders) {
      const int below = static_cast<int>(alpha);
      double moment = moments.log_moment(below);
      if (!is_integer(alpha)) moment += (alpha - below) * (moments.log_moment(below + 1) - moment);
      rdp.push_back(std::min(moment / (alpha - 1), without_sampling(alpha)));
    }
  }
  return rdp;
}

}  // namespace paretofl
