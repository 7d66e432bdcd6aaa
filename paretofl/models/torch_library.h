#pragma once

#include "paretofl/registry/part_library.h"

namespace paretofl {

/// All that LibTorch computes. Loading it takes a third of a second and 100 MiB.
inline constexpr PartLibrary kTorchLibrary{
    .file = "libparetofl_torch.so", .dependency = "LibTorch", .option = "PARETOFL_TORCH", .package = "paretofl-torch"};

}  // namespace paretofl
