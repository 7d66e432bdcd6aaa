#pragma once

#include <memory>
#include <span>
#include <vector>

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

/// Local steps on f = sum_k lambda_k f_k along gradient + correction [d], a vector that stays the same in all of them (variance reduction
/// of clients that drift apart), from theta [d]; the proximal term of the options is added too. With a correction of zeros, the draws and
/// the bits are those of FedAvg's client.
LocalUpdate train_corrected(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> theta,
                            std::span<const double> lambda, std::span<const float> correction, StreamId stream);

/// One vector [d] that a half keeps from round to round, zeros at first, as the array `name` of its state.
class KeptVector {
 public:
  explicit KeptVector(const char* name, std::size_t size) : name_(name), values_(size) {}

  std::span<const float> values() const { return values_; }
  std::span<float> values() { return values_; }

  void save(Record& state) const { state.arrays.insert_or_assign(name_, Array(std::span<const float>(values_))); }
  /// Throws Error unless the state has as many numbers.
  void load(const Record& state) {
    const auto saved = float_array(state, name_, values_.size());
    values_.assign(saved.begin(), saved.end());
  }

 private:
  const char* name_;
  std::vector<float> values_;
};

}  // namespace paretofl
