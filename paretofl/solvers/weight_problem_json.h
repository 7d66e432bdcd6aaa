#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// A weight problem that owns its numbers; vectors are [M], or empty if the JSON has none.
struct WeightProblemData {
  Gramian gramian{0};
  std::vector<double> losses;
  std::vector<double> previous;
  std::vector<double> preference;
  std::int64_t step = 1;
};

/// Reads {"gramian": [[..]], "losses": [..]?, "previous": [..]?, "preference": [..]?, "step": n?}. Throws
/// Error, calling the text `name`, on broken JSON, unknown keys, ragged or non-numeric lists and what
/// Gramian rejects.
WeightProblemData parse_weight_problem(const std::string& text, const std::string& name);

}  // namespace paretofl
