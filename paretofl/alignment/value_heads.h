#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/local/adam.h"

namespace paretofl {

/// The critics of M objectives: V_k(h) = w_k^T h + b_k on hidden states h [H] of the policy's model, trained by Adam. Their
/// gradients stop at the hidden states, so that a policy's Jacobian is one of its own losses alone, and the critics
/// need not travel with it. They start at zero.
class ValueHeads {
 public:
  ValueHeads(std::size_t objectives, std::size_t hidden_size, double rate);

  std::size_t objectives() const { return objectives_; }
  /// [M, N] for hidden states [N, H].
  std::vector<double> values(std::span<const float> hidden) const;

  /// One step on the mean over N of 1/2 max((V - R)^2, (V_clipped - R)^2) per objective, V_clipped the value within
  /// `clip` of the old one (Schulman et al.'s code for PPO); clip 0 leaves out the second term. Returns [M, N] and old
  /// values [M, N]; gives the losses [M] before the step.
  std::vector<double> fit(std::span<const float> hidden, std::span<const double> returns, std::span<const double> old_values, double clip);

  Record save() const;
  /// Throws Error on heads of another size.
  void load(const Record& state);

 private:
  std::size_t objectives_;
  std::size_t hidden_size_;
  std::vector<float> parameters_;  // [M, H + 1], the bias last
  Adam optimizer_;
};

}  // namespace paretofl
