#include "paretofl/strategies/kept_lambda.h"

#include <cmath>

namespace paretofl {

void KeptLambda::set(std::vector<double> lambda, std::span<const std::size_t> held, std::span<const double> losses,
                     const WeightSolver& solver) {
  if (held.size() == values_.size()) return set(std::move(lambda), losses, solver);
  double rest = 0;
  for (const std::size_t k : held) rest += std::abs(values_[k]);
  for (const std::size_t k : held) values_[k] = rest * lambda[k];
  if (!solver.reads_previous_losses() || losses_.empty()) return;  // until all are known, the solver begins anew
  for (const std::size_t k : held) losses_[k] = losses[k];
}

void KeptLambda::set(std::vector<double> lambda, std::span<const double> losses, const WeightSolver& solver) {
  values_ = std::move(lambda);
  if (solver.reads_previous_losses()) losses_.assign(losses.begin(), losses.end());
}

void KeptLambda::save(Record& state) const {
  state.arrays.insert_or_assign("lambda", Array(std::span(values_)));
  if (!losses_.empty()) state.arrays.insert_or_assign("lambda_losses", Array(std::span(losses_)));
}

void KeptLambda::load(const Record& state) {
  const auto lambda = double_array(state, "lambda", values_.size());
  values_.assign(lambda.begin(), lambda.end());
  losses_.clear();
  if (!state.arrays.contains("lambda_losses")) return;
  const auto losses = double_array(state, "lambda_losses", values_.size());
  losses_.assign(losses.begin(), losses.end());
}

}  // namespace paretofl
