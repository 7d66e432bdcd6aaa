#pragma once

#include <string>
#include <string_view>

#include "paretofl/language/causal_lm.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// The option `generation_weights` of a method that draws completions.
void describe_generation_weights(OptionVisitor& visit, std::string& weights);

/// Throws Error naming the option of `method`, such as "grpo", if the model cannot draw with these weights.
void expect_draws_with(const CausalLm& model, GenerationWeights weights, std::string_view method);

}  // namespace paretofl
