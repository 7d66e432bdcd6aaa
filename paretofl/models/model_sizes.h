#pragma once

#include <cstddef>
#include <span>

#include "paretofl/models/model.h"

namespace paretofl {

/// The sizes that a Model's arguments must have, and the checks that every Model makes of them.
struct ModelSizes {
  std::size_t parameters;  ///< d
  std::size_t objectives;  ///< M
  std::size_t pixels;      ///< C * H * W
  std::size_t classes;

  /// Throws Error unless the parameters and the batch fit the model and every label is a class.
  void check_input(std::span<const float> parameters, const ImageBatch& batch) const;
  void check_objective(int objective) const;
  /// Throws Error unless found == expected, naming the argument.
  static void check_size(const char* argument, std::size_t expected, std::size_t found);
};

}  // namespace paretofl
