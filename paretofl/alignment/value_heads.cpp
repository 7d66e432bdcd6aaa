#include "paretofl/alignment/value_heads.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

ValueHeads::ValueHeads(std::size_t objectives, std::size_t hidden_size, double rate)
    : objectives_(objectives),
      hidden_size_(hidden_size),
      parameters_(objectives * (hidden_size + 1)),
      optimizer_(parameters_.size(), rate) {}

std::vector<double> ValueHeads::values(std::span<const float> hidden) const {
  const std::size_t n = hidden.size() / hidden_size_;
  std::vector<double> values(objectives_ * n);
  for (std::size_t k = 0; k < objectives_; ++k) {
    const float* head = &parameters_[k * (hidden_size_ + 1)];
    for (std::size_t i = 0; i < n; ++i) {
      double value = head[hidden_size_];
      for (std::size_t j = 0; j < hidden_size_; ++j) value += static_cast<double>(head[j]) * hidden[i * hidden_size_ + j];
      values[k * n + i] = value;
    }
  }
  return values;
}

std::vector<double> ValueHeads::fit(std::span<const float> hidden, std::span<const double> returns, std::span<const double> old_values,
                                    double clip) {
  const std::size_t n = hidden.size() / hidden_size_;
  const std::vector<double> now = values(hidden);
  std::vector<double> losses(objectives_);
  std::vector<double> gradient(hidden_size_ + 1);
  std::vector<float> gradients(parameters_.size());
  for (std::size_t k = 0; k < objectives_; ++k) {
    std::fill(gradient.begin(), gradient.end(), 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = k * n + i;
      double error = now[at] - returns[at];
      double slope = error;
      if (clip > 0) {
        const double clipped = std::clamp(now[at], old_values[at] - clip, old_values[at] + clip);
        if ((clipped - returns[at]) * (clipped - returns[at]) > error * error) {
          error = clipped - returns[at];
          slope = 0;  // a clipped value does not move with the parameters
        }
      }
      losses[k] += error * error / 2 / static_cast<double>(n);
      for (std::size_t j = 0; j < hidden_size_; ++j) gradient[j] += slope * hidden[i * hidden_size_ + j];
      gradient[hidden_size_] += slope;
    }
    for (std::size_t j = 0; j <= hidden_size_; ++j) {
      gradients[k * (hidden_size_ + 1) + j] = static_cast<float>(gradient[j] / static_cast<double>(n));
    }
  }
  optimizer_.step(gradients, parameters_);
  return losses;
}

Record ValueHeads::save() const {
  Record state;
  state.arrays.insert_or_assign("parameters", Array(std::span<const float>(parameters_)));
  state.records.insert_or_assign("optimizer", optimizer_.save());
  return state;
}

void ValueHeads::load(const Record& state) {
  const auto parameters = float_array(state, "parameters", parameters_.size());
  parameters_.assign(parameters.begin(), parameters.end());
  optimizer_.load(state.record("optimizer"));
}

}  // namespace paretofl
