#include "paretofl/kernels/lane_activation.h"

#include <cmath>
#include <numbers>

#include "paretofl/kernels/lane_exp.h"

namespace paretofl {
void activate(const std::string& name, Lanes* x, std::size_t count) {
  if (name == "silu") {
    for (std::size_t i = 0; i < count; ++i) x[i] *= sigmoid_lanes(x[i]);
  } else if (name == "gelu_new") {
    // (1 + tanh u) / 2 is the sigmoid of 2 u.
    const auto scale = static_cast<float>(2 * std::sqrt(2 * std::numbers::inv_pi));
    for (std::size_t i = 0; i < count; ++i) x[i] *= sigmoid_lanes(scale * (x[i] + 0.044715F * x[i] * x[i] * x[i]));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t n = 0; n < kLanes; ++n) x[i][n] *= 0.5F * (1 + std::erf(x[i][n] * std::numbers::sqrt2_v<float> / 2));
    }
  }
}

}  // namespace paretofl
