#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

/// The objective weights lambda [M] that a half of a strategy keeps from round to round: uniform at first, then those it set last.
class KeptLambda {
 public:
  explicit KeptLambda(std::size_t objectives) : values_(objectives, 1 / static_cast<double>(objectives)) {}

  std::size_t size() const { return values_.size(); }
  const std::vector<double>& values() const { return values_; }
  void set(std::vector<double> lambda) { values_ = std::move(lambda); }
  /// Sets those of the objectives `held` to `lambda` [M], which is 0 elsewhere. The others keep what they have, and these share the rest.
  void set(std::vector<double> lambda, std::span<const std::size_t> held);

  /// As the array "lambda" of the half's state.
  void save(Record& state) const;
  /// Throws Error unless the state has M of them.
  void load(const Record& state);

 private:
  std::vector<double> values_;
};

}  // namespace paretofl
