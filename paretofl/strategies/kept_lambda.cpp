#include "paretofl/strategies/kept_lambda.h"

namespace paretofl {

void KeptLambda::save(Record& state) const { state.arrays.insert_or_assign("lambda", Array(std::span(values_))); }

void KeptLambda::load(const Record& state) {
  const auto lambda = double_array(state, "lambda", values_.size());
  values_.assign(lambda.begin(), lambda.end());
}

}  // namespace paretofl
