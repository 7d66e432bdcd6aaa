#pragma once

namespace paretofl {

/// What an evaluation of one head adds up over the samples that have a label or a target for its objective.
struct HeadSums {
  double samples = 0;  ///< how many these are
  double loss = 0;
  double correct = 0;         ///< as correct_sum of head_loss.h; 0 for heads with targets
  double absolute_error = 0;  ///< |output - target|; 0 for heads with labels
  double squared_error = 0;   ///< (output - target)^2; 0 for heads with labels

  HeadSums& operator+=(const HeadSums& other) {
    samples += other.samples;
    loss += other.loss;
    correct += other.correct;
    absolute_error += other.absolute_error;
    squared_error += other.squared_error;
    return *this;
  }
};

}  // namespace paretofl
