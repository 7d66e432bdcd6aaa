#include "paretofl/compressors/client_grams.h"

#include "paretofl/core/error.h"
#include "paretofl/optimization/gramian.h"

namespace paretofl {

Record ClientGramsCompressor::compress(std::span<const float> jacobian, std::size_t objectives, Random) const {
  const auto size = static_cast<std::int64_t>(objectives);
  Record sketch;
  sketch.arrays.emplace("gramian", Array(gramian_of_rows(jacobian, objectives).values(), {size, size}));
  return sketch;
}

void ClientGramsCompressor::reconstruct(const Record&, std::size_t, std::span<float>) const {
  throw Error("client_grams: expected only Gramians to be asked for, found a request to reconstruct a jacobian");
}

}  // namespace paretofl
