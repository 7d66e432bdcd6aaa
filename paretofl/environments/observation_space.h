#pragma once

#include <cstddef>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// The form of observations: D numbers with bounds. Whatever the type, they are passed as doubles, which
/// hold every int32 and float32 exactly.
struct ObservationSpace {
  enum class Type { kInt32, kFloat32, kFloat64 };

  Type type = Type::kFloat32;
  std::vector<double> low;   ///< [D], inclusive
  std::vector<double> high;  ///< [D], inclusive

  std::size_t size() const { return low.size(); }  ///< D

  static ObservationSpace unbounded(Type type, std::size_t size) {
    return {type, std::vector<double>(size, -kInfinity), std::vector<double>(size, kInfinity)};
  }
};

}  // namespace paretofl
