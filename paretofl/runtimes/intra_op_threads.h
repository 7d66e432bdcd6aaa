#pragma once

namespace paretofl {

/// Pins OpenMP and OpenBLAS, loaded now or later, to one thread per caller: parallelism is across clients,
/// and a free number of BLAS threads changes the bits. Call once, first thing in main.
void limit_intra_op_threads();

}  // namespace paretofl
