#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

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
