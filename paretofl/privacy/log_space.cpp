#include "paretofl/privacy/log_space.h"

#include <algorithm>
#include <numbers>

namespace paretofl {

double log_normal_tail(double z) {
  if (z < 20) return std::log(0.5 * std::erfc(z / std::numbers::sqrt2));
  // Mills' ratio as a continued fraction, 1 / (z + 1 / (z + 2 / (z + ...))), which a double holds after a few terms at such z.
  double fraction = z;
  for (int k = 12; k >= 1; --k) fraction = z + k / fraction;
  return -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) - std::log(fraction);
}

double log_normal_mass(double low, double high) {
  if (!(low < high)) return kLogZero;
  if (low < 0 && high <= 0) return log_normal_mass(-high, -low);
  if (low < 0) return std::log(0.5 * (std::erf(high / std::numbers::sqrt2) - std::erf(low / std::numbers::sqrt2)));
  return log_subtract(log_normal_tail(low), log_normal_tail(high));
}

double log_binomial(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

double log_normal_mean(const std::function<double(double)>& f, double low, double high, double step) {
  double sum = kLogZero;
  for (double z = low; z <= high; z += step) sum = log_add(sum, f(z) - 0.5 * z * z);
  return sum + std::log(step) - 0.5 * std::log(2 * std::numbers::pi);
}

}  // namespace paretofl
