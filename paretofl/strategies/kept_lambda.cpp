#include "paretofl/strategies/kept_lambda.h"

#include <cmath>

namespace paretofl {

void KeptLambda::set(std::vector<double> lambda, std::span<const std::size_t> held) {
  if (held.size() == values_.size()) return set(std::move(lambda));
  double rest = 0;
  for (const std::size_t k : held) rest += std::abs(values_[k]);
  for (const std::size_t k : held) values_[k] = rest * lambda[k];
}

void KeptLambda::save(Record& state) const { state.arrays.insert_or_assign("lambda", Array(std::span(values_))); }

void KeptLambda::load(const Record& state) {
  const auto lambda = double_array(state, "lambda", values_.size());
  values_.assign(lambda.begin(), lambda.end());
}

}  // namespace paretofl
