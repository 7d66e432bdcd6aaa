#pragma once

#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {

/// Numbers from -1 to 1, the same for the same purpose.
inline std::vector<float> draws(std::size_t count, const char* purpose) {
  Random random({1}, purpose);
  std::vector<float> values(count);
  for (float& x : values) x = static_cast<float>(random.uniform(-1, 1));
  return values;
}

}  // namespace paretofl
