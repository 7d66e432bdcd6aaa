#pragma once

#include <cstdint>
#include <vector>

namespace paretofl {

/// One step with Gaussian noise over a Poisson sample of the clients.
struct SampledGaussian {
  double noise_multiplier = 1;
  double rate = 1;  ///< of the sampling, in (0, 1]

  auto operator<=>(const SampledGaussian&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes it for one
};

/// Which data set the outputs come from: the one with the client in question, or its neighbour without the client.
enum class Neighbour { kWith, kWithout };

/// A discrete privacy loss distribution: losses log(P(x) / Q(x)) of outputs x ~ P on a grid of multiples of `interval`, P and Q being the
/// outputs' distributions on the two neighbouring data sets. It dominates the true one, so what is shown with it holds for that.
struct PrivacyLoss {
  double interval = 0;
  std::int64_t first = 0;  ///< masses[i] is the probability of the loss (first + i) * interval
  std::vector<double> masses;
  double infinite = 0;  ///< probability of an infinite loss

  double loss(std::size_t i) const { return static_cast<double>(first + static_cast<std::int64_t>(i)) * interval; }

  /// The smallest epsilon >= 0 whose hockey-stick divergence sum_i masses[i] (1 - e^(epsilon - loss_i))_+ + infinite is at most delta.
  /// Infinity where delta < infinite.
  double epsilon(double delta) const;
};

/// The smallest and the largest loss of a step, but for outputs of probability 1e-23.
struct LossRange {
  double low;
  double high;
};
LossRange loss_range(const SampledGaussian& step, Neighbour from);

/// The loss of one step, discretized by "Connect the Dots" (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022): the mass of each
/// interval is split between its ends such that both P and Q keep it, which raises the divergence nowhere on the grid and between grid
/// points to the chord in e^epsilon. The error is of second order in the interval.
PrivacyLoss discretized_loss(const SampledGaussian& step, Neighbour from, double interval);

}  // namespace paretofl
