#pragma once

namespace paretofl {

/// Bits of the vector registers that the kernels are compiled for: 512, 256 or 128. A package may hold the library more than once, for
/// wider registers too, which give the same bits as the others.
int vector_bits();

}  // namespace paretofl
