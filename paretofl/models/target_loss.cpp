#include "paretofl/models/target_loss.h"

#include <cmath>

namespace paretofl {
namespace {

double loss_of(const Head& head, double residual) {
  if (head.loss == Loss::kSquaredError) return residual * residual;
  if (head.loss == Loss::kAbsoluteError) return std::abs(residual);
  return residual < 0 ? (head.level - 1) * residual : head.level * residual;
}

/// The derivative with respect to the output; the residual is target - output.
double slope_of(const Head& head, double residual) {
  if (head.loss == Loss::kSquaredError) return -2 * residual;
  if (residual == 0) return 0;
  if (head.loss == Loss::kAbsoluteError) return residual < 0 ? 1 : -1;
  return residual < 0 ? 1 - head.level : -head.level;
}

}  // namespace

double target_loss_sum(const Head& head, Lanes output, std::span<const float> targets, Lanes weights, std::size_t first) {
  double sum = 0;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    const double residual = static_cast<double>(targets[n]) - static_cast<double>(output[first + n]);
    sum += static_cast<double>(weights[first + n]) * loss_of(head, residual);
  }
  return sum;
}

Lanes target_loss_gradient(const Head& head, Lanes output, std::span<const float> targets, Lanes scales) {
  Lanes gradient{};
  for (std::size_t n = 0; n < targets.size(); ++n) {
    gradient[n] = scales[n] * static_cast<float>(slope_of(head, static_cast<double>(targets[n]) - static_cast<double>(output[n])));
  }
  return gradient;
}

}  // namespace paretofl
