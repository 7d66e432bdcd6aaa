#include "paretofl/local/adam.h"

#include <cmath>

namespace paretofl {

void Adam::step(std::span<const float> gradient, std::span<float> theta) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
  ++steps_;
  const auto power = static_cast<double>(steps_);
  const auto rate = static_cast<float>(rate_ / (1 - std::pow(kBeta1, power)));
  const auto scale = static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, power)));
  const auto keep1 = static_cast<float>(kBeta1), new1 = static_cast<float>(1 - kBeta1);
  const auto keep2 = static_cast<float>(kBeta2), new2 = static_cast<float>(1 - kBeta2);
  const auto epsilon = static_cast<float>(kEpsilon);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    first_[i] = keep1 * first_[i] + new1 * gradient[i];
    second_[i] = keep2 * second_[i] + new2 * gradient[i] * gradient[i];
    theta[i] -= rate * first_[i] / (scale * std::sqrt(second_[i]) + epsilon);
  }
}

}  // namespace paretofl
