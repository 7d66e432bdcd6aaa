#include "paretofl/local/adam.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/count_scalar.h"

namespace paretofl {

void Adam::reset() {
  steps_ = 0;
  std::fill(first_.begin(), first_.end(), 0.0F);
  std::fill(second_.begin(), second_.end(), 0.0F);
}

void Adam::step(std::span<const float> gradient, std::span<float> theta) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
  ++steps_;
  const auto power = static_cast<double>(steps_);
  const auto rate = static_cast<float>(rate_ / (1 - std::pow(kBeta1, power)));
  const auto scale = static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, power)));
  const auto keep1 = static_cast<float>(kBeta1), new1 = static_cast<float>(1 - kBeta1);
  const auto keep2 = static_cast<float>(kBeta2), new2 = static_cast<float>(1 - kBeta2);
  const auto epsilon = static_cast<float>(kEpsilon);
  // A parameter that gets no gradient any more would have its moments decay into denormal numbers, and keep every later
  // step waiting on them.
  constexpr float kTiny = 1e-30F;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const float first = keep1 * first_[i] + new1 * gradient[i];
    const float second = keep2 * second_[i] + new2 * gradient[i] * gradient[i];
    first_[i] = std::abs(first) < kTiny ? 0 : first;
    second_[i] = second < kTiny ? 0 : second;
    theta[i] -= rate * first_[i] / (scale * std::sqrt(second_[i]) + epsilon);
  }
}

Record Adam::save() const {
  Record state;
  state.scalars.emplace("steps", static_cast<double>(steps_));
  state.arrays.emplace("first", Array(std::span<const float>(first_)));
  state.arrays.emplace("second", Array(std::span<const float>(second_)));
  return state;
}

void Adam::load(const Record& state) {
  const auto first = float_array(state, "first", first_.size());
  const auto second = float_array(state, "second", second_.size());
  steps_ = count_scalar(state, "steps");
  first_.assign(first.begin(), first.end());
  second_.assign(second.begin(), second.end());
}

}  // namespace paretofl
