#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/models/model.h"

namespace paretofl {

/// The sizes that a Model's arguments must have, and the checks that every Model makes of them.
struct ModelSizes {
  std::size_t parameters;   ///< d
  std::size_t inputs;       ///< numbers of one sample
  std::vector<Head> heads;  ///< [M]

  std::size_t objectives() const { return heads.size(); }
  /// Throws Error unless the parameters and the batch fit the model and every label is one of its head's.
  void check_input(std::span<const float> parameters, const Batch& batch) const;
  void check_objective(int objective) const;
  /// Throws Error unless found == expected, naming the argument.
  static void check_size(const char* argument, std::size_t expected, std::size_t found);
};

}  // namespace paretofl
