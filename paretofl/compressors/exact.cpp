#include "paretofl/compressors/exact.h"

#include <algorithm>

namespace paretofl {

Record ExactCompressor::compress(std::span<const float> jacobian, std::size_t, Random) const {
  Record sketch;
  sketch.arrays.emplace("jacobian", Array(jacobian));
  return sketch;
}

void ExactCompressor::reconstruct(const Record& sketch, std::size_t, std::span<float> jacobian) const {
  const auto values = float_array(sketch, "jacobian", jacobian.size());
  std::copy(values.begin(), values.end(), jacobian.begin());
}

}  // namespace paretofl
