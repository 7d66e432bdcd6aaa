#pragma once

#include <vector>

#include "paretofl/kernels/int8_product.h"

namespace paretofl {

/// The matrices that a decoder multiplies by, rounded to 8 bits.
struct Int8Weights {
  std::vector<std::vector<Int8Matrix>> layers;  ///< [layers][projections], in the order of decoder_projections
  Int8Matrix head;                              ///< [V, H]
};

}  // namespace paretofl
