#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/optimization/gramian.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// A weight problem that owns its numbers; vectors are [M] unless they say otherwise, or empty if the JSON has none.
struct WeightProblemData {
  Gramian gramian{0};
  std::vector<double> losses;
  std::vector<double> previous;
  std::vector<double> previous_losses;
  std::vector<double> preference;
  std::vector<double> two_sample_products;  ///< [M, M], row-major
  std::int64_t step = 1;

  /// The numbers stay here.
  WeightProblem problem() const {
    return {.gramian = gramian,
            .losses = losses,
            .previous = previous,
            .previous_losses = previous_losses,
            .two_sample_products = two_sample_products,
            .preference = preference,
            .step = step};
  }
};

/// Reads {"gramian": [[..]], "losses": [..]?, "previous": [..]?, "previous_losses": [..]?, "two_sample_products": [[..]]?,
/// "preference": [..]?, "step": n?}. Throws
/// Error, calling the text `name`, on broken JSON, unknown keys, ragged or non-numeric lists and what
/// Gramian rejects.
WeightProblemData parse_weight_problem(const std::string& text, const std::string& name);

}  // namespace paretofl
