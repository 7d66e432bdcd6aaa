#include "paretofl/agents/squashed_normal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace paretofl {
namespace {

constexpr float kSmallest = -20;  // logarithms of a deviation
constexpr float kLargest = 2;

float softplus(float x) { return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

float SquashedNormal::act(std::span<float> action) const {
  constexpr float kHalfLog2Pi = 0.918938533204672742F;
  constexpr float kLog2 = std::numbers::ln2_v<float>;
  float density = 0;
  for (std::size_t i = 0; i < action.size(); ++i) {
    const float log_deviation = std::clamp(outputs[action.size() + i], kSmallest, kLargest);
    const float u = outputs[i] + std::exp(log_deviation) * noise[i];
    action[i] = std::tanh(u);
    density -= 0.5F * noise[i] * noise[i] + log_deviation + kHalfLog2Pi;
    density -= 2 * (kLog2 - u - softplus(-2 * u));  // log(1 - tanh(u)^2)
  }
  return density;
}

void SquashedNormal::backward(std::span<const float> action, std::span<const float> action_gradient, float weight,
                              std::span<float> gradient) const {
  const std::size_t size = action.size();
  for (std::size_t i = 0; i < size; ++i) {
    const float raw = outputs[size + i];
    const float deviation = std::exp(std::clamp(raw, kSmallest, kLargest));
    const float of_u = action_gradient[i] * (1 - action[i] * action[i]) + weight * 2 * action[i];
    gradient[i] = of_u;
    gradient[size + i] = raw < kSmallest || raw > kLargest ? 0 : of_u * deviation * noise[i] - weight;
  }
}

}  // namespace paretofl
