#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace paretofl {

/// Arithmetic on the logarithms of numbers that are too large or too small for a double.

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

/// log(e^a + e^b)
inline double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

/// log(e^a - e^b), for a >= b. Rounding errors that make a < b give kLogZero.
inline double log_subtract(double a, double b) {
  if (b == kLogZero) return a;
  return a > b ? a + std::log(-std::expm1(b - a)) : kLogZero;
}

/// log P(Z > z) of a standard normal Z; accurate in both tails.
double log_normal_tail(double z);

/// log P(low < Z <= high) of a standard normal Z.
double log_normal_mass(double low, double high);

/// log of the binomial coefficient of n over k, for 0 <= k <= n.
double log_binomial(double n, double k);

/// log E[e^f(Z)] of a standard normal Z by the trapezoidal rule from `low` to `high` with the given step. The integrand is smooth and
/// vanishes at both ends, so the error falls exponentially with 1 / step.
double log_normal_mean(const std::function<double(double)>& f, double low, double high, double step);

}  // namespace paretofl
