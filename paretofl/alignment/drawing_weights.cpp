#include "paretofl/alignment/drawing_weights.h"

#include "paretofl/core/error.h"

namespace paretofl {

void describe_generation_weights(OptionVisitor& visit, std::string& weights) {
  visit.choice("generation_weights", weights, generation_weights_names(),
               "the base model's matrices when completions are drawn: as they are, or rounded to 8 bits, which draws faster on the CPU; "
               "log-probabilities and gradients are those of the model as it is, by further forward passes where a draw would bring them");
}

void expect_draws_with(const CausalLm& model, GenerationWeights weights, std::string_view method) {
  expect(model.generates_with(weights),
         "{}.generation_weights: expected float32 unless the model has float32 parameters on the CPU, and maps of their own for queries, "
         "keys and values, found int8",
         method);
}

}  // namespace paretofl
