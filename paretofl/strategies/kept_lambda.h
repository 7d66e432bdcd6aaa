#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// The objective weights lambda [M] that a half of a strategy keeps from round to round: uniform at first, then those it set last. For
/// solvers that read them (WeightSolver::reads_previous_losses), also the losses [M] that lambda was set from.
class KeptLambda {
 public:
  explicit KeptLambda(std::size_t objectives) : values_(objectives, 1 / static_cast<double>(objectives)) {}

  std::size_t size() const { return values_.size(); }
  const std::vector<double>& values() const { return values_; }
  /// Empty before the first set(), and where the solver doesn't read them.
  const std::vector<double>& losses() const { return losses_; }
  void set(std::vector<double> lambda) { values_ = std::move(lambda); }
  /// Sets those of the objectives `held` to `lambda` [M], which is 0 elsewhere and `solver` set from these losses [M]. The others keep what
  /// they have, and these share the rest.
  void set(std::vector<double> lambda, std::span<const std::size_t> held, std::span<const double> losses, const WeightSolver& solver);
  /// What `solver` set from these losses, of all objectives.
  void set(std::vector<double> lambda, std::span<const double> losses, const WeightSolver& solver);

  /// As the array "lambda" of the half's state, and "lambda_losses" where there are losses.
  void save(Record& state) const;
  /// Throws Error unless the state has M of them.
  void load(const Record& state);

 private:
  std::vector<double> values_;
  std::vector<double> losses_;
};

}  // namespace paretofl
