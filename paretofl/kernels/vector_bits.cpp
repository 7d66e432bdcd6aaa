#include "paretofl/kernels/vector_bits.h"

#include "paretofl/kernels/lanes.h"

namespace paretofl {

int vector_bits() { return static_cast<int>(8 * sizeof(Lanes)); }

}  // namespace paretofl
