#pragma once

#include <span>

namespace paretofl {

/// Actions a = tanh(u) in (-1, 1), u from a normal distribution of independent numbers: the policies of soft actor-critic (Haarnoja et al.
/// 2018, appendix C). What a network says of one state are the means [A] and then the logarithms of the standard deviations [A], which are
/// clamped to between -20 and 2.
struct SquashedNormal {
  std::span<const float> outputs;  ///< [2 A]
  std::span<const float> noise;    ///< [A] of the standard normal distribution, whence u = mean + deviation * noise

  /// Writes a [A] and returns log pi(a), the sum of the logarithms of the numbers' densities.
  float act(std::span<float> action) const;
  /// Of f(a) + weight * log pi(a): from the gradient of f with respect to a [A], the one with respect to the outputs [2 A], with the noise
  /// as it is.
  void backward(std::span<const float> action, std::span<const float> action_gradient, float weight, std::span<float> gradient) const;
};

}  // namespace paretofl
