#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

/// Adam (Kingma and Ba 2015, Algorithm 1), with the paper's decay rates 0.9 and 0.999 and epsilon 1e-8, which are
/// also PyTorch's defaults. Starts with moments of zero.
class Adam {
 public:
  /// For `size` parameters and learning rate `rate`.
  Adam(std::size_t size, double rate) : rate_(rate), first_(size), second_(size) {}

  /// The learning rate of the following steps.
  void set_rate(double rate) { rate_ = rate; }

  /// Forgets all steps.
  void reset();

  /// theta <- theta - rate m^ / (sqrt(v^) + epsilon), m^ and v^ the bias-corrected moments of the gradient [d].
  void step(std::span<const float> gradient, std::span<float> theta);

  /// The moments and the number of steps.
  Record save() const;
  /// Throws Error on moments of another size, and on steps that are no count.
  void load(const Record& state);

 private:
  double rate_;
  std::int64_t steps_ = 0;
  std::vector<float> first_;   // m
  std::vector<float> second_;  // v
};

}  // namespace paretofl
