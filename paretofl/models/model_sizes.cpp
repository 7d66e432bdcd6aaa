#include "paretofl/models/model_sizes.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

void ModelSizes::check_size(const char* argument, std::size_t expected, std::size_t found) {
  expect(found == expected, "model: expected {} {}, found {}", expected, argument, found);
}

void ModelSizes::check_objective(int objective) const {
  expect(objective >= 0 && static_cast<std::size_t>(objective) < objectives(), "model: expected an objective from 0 to {}, found {}",
         objectives() - 1, objective);
}

void ModelSizes::check_input(std::span<const float> parameters_found, const Batch& batch) const {
  check_size("parameters", parameters, parameters_found.size());
  expect(batch.size > 0, "model: expected a batch of at least one sample, found an empty one");
  check_size("numbers in the batch's inputs", batch.size * inputs, batch.inputs.size());
  const auto labelled = [](const Head& head) { return head.has_labels(); };
  if (std::any_of(heads.begin(), heads.end(), labelled)) check_size("labels in the batch", batch.size * objectives(), batch.labels.size());
  if (!std::all_of(heads.begin(), heads.end(), labelled))
    check_size("targets in the batch", batch.size * objectives(), batch.targets.size());
  if (!batch.known.empty()) check_size("marks of known labels in the batch", batch.size * objectives(), batch.known.size());
  if (!batch.known_shares.empty()) check_size("shares of known labels", objectives(), batch.known_shares.size());
  for (std::size_t k = 0; k < objectives(); ++k) {
    if (!heads[k].has_labels()) continue;
    const std::size_t values = heads[k].label_values();
    for (const std::uint8_t label : batch.labels.subspan(k * batch.size, batch.size)) {
      expect(label < values, "model: expected labels of objective {} below {}, found {}", k, values, label);
    }
  }
}

}  // namespace paretofl
