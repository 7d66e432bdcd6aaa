#pragma once

#include <cstddef>
#include <vector>

namespace paretofl {

/// What observations look like: D numbers with bounds. Whatever the type, they are handed over as doubles, which
/// hold every int32 and float32 exactly.
struct ObservationSpace {
  enum class Type { kInt32, kFloat32 };

  Type type = Type::kFloat32;
  std::vector<double> low;   ///< [D], inclusive
  std::vector<double> high;  ///< [D], inclusive

  std::size_t size() const { return low.size(); }  ///< D
};

}  // namespace paretofl
