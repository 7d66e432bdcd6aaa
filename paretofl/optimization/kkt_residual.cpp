#include "paretofl/optimization/kkt_residual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {

double kkt_residual(const Gramian& q, std::span<const double> lambda) {
  const std::size_t objectives = q.objectives();
  expect(lambda.size() == objectives, "kkt_residual: expected {} objective weights, found {}", objectives, lambda.size());
  double sum = 0;
  double lowest = 0;
  for (const double value : lambda) {
    if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
    sum += value;
    lowest = std::min(lowest, value);
  }
  double residual = std::max(std::abs(sum - 1), -lowest);

  // Scaling by a power of two keeps every product finite and every ratio's bits.
  double largest = 0;
  for (const double value : q.values()) largest = std::max(largest, std::abs(value));
  if (largest == 0) return residual;
  const double unit = std::scalbn(1.0, -std::max(std::ilogb(largest), -1000));

  std::vector<double> norms(objectives);
  double mean_norm = 0;
  for (std::size_t i = 0; i < objectives; ++i) {
    norms[i] = std::sqrt(std::max(unit * q(i, i), 0.0));
    mean_norm += norms[i] * std::max(lambda[i], 0.0);
  }
  std::vector<double> gradient(objectives);  // (Q lambda)_i
  std::vector<double> scale(objectives);     // what its rounding errors are relative to
  for (std::size_t i = 0; i < objectives; ++i) {
    double magnitude = 0;
    for (std::size_t j = 0; j < objectives; ++j) {
      const double term = unit * q(i, j) * lambda[j];
      gradient[i] += term;
      magnitude += std::abs(term);
    }
    scale[i] = std::max(norms[i] * mean_norm, magnitude);
  }
  for (std::size_t i = 0; i < objectives; ++i) {
    if (lambda[i] <= 0) continue;
    for (std::size_t j = 0; j < objectives; ++j) {
      const double difference = gradient[i] - gradient[j];
      if (difference > 0) residual = std::max(residual, difference / (scale[i] + scale[j]));
    }
  }
  return residual;
}

}  // namespace paretofl
