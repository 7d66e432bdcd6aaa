#pragma once

#include "paretofl/registry/part_library.h"

namespace paretofl {

/// All that LibTorch computes. Loading it takes a third of a second and 100 MiB. In a process with another LibTorch, such as that of the
/// package `torch` from PyPI, runs hang or end the process.
inline constexpr PartLibrary kTorchLibrary{.file = "libparetofl_torch.so",
                                           .dependency = "LibTorch",
                                           .option = "PARETOFL_TORCH",
                                           .package = "paretofl-torch",
                                           .only = "libtorch_cpu.so"};

}  // namespace paretofl
