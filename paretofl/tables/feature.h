#pragma once

#include <string>

#include "paretofl/tables/column_scale.h"

namespace paretofl {

/// One input of a model, and how it follows from a cell of a table.
struct Feature {
  std::string column;
  bool category = false;
  std::string value;          ///< of a category: what gives 1, and else 0
  bool seen = true;           ///< of a category: whether a training row has the value; else the feature is 0 everywhere
  ColumnScale scale;          ///< of a number, over the training rows
  bool standardized = false;  ///< of a number: whether it is shifted and scaled by `scale`

  /// Of a number that is not NaN. 0 if it is standardized and did not vary.
  double scaled(double number) const {
    if (!standardized) return number;
    return scale.deviation > 0 ? (number - scale.mean) / scale.deviation : 0;
  }
  std::string name() const { return category ? column + "=" + value : column; }
};

}  // namespace paretofl
