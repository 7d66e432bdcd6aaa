#pragma once

#include <cstdint>

#include "paretofl/secure_sums/key_stream.h"

namespace paretofl {

/// The smallest standard deviation of noise that discloses what the continuous Gaussian does; narrower noise is hardly ever another number
/// than 0, whatever epsilon says.
inline constexpr double kNarrowestNoise = 2;

/// Integers x with probabilities proportional to exp(-x^2 / (2 deviation^2)): noise without the gaps that the rounding of real numbers
/// leaves, by which a value could be told (Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential privacy", Algorithm 3,
/// with its coin tosses in double precision). For deviations from kNarrowestNoise on, it discloses what
/// the continuous Gaussian does, also as a sum of independent ones (Kairouz, Liu and Steinke 2021, "The distributed discrete Gaussian
/// mechanism", Theorem 1, whose additional term falls as e^(-pi^2 deviation^2)).
class DiscreteGaussian {
 public:
  /// Throws Error unless 0 <= deviation <= 2^56. Which numbers come follows from the key.
  DiscreteGaussian(double deviation, const Secret& key);

  std::int64_t operator()();

 private:
  double uniform();                          ///< in [0, 1), 53 bits
  std::uint64_t below(std::uint64_t bound);  ///< uniform
  bool with_probability_exp(double minus);   ///< true with probability e^-minus, for minus >= 0
  std::int64_t laplace();                    ///< P(x) proportional to e^(-|x| / scale_)

  double deviation_;
  std::uint64_t scale_ = 0;
  KeyStream bits_;
};

}  // namespace paretofl
