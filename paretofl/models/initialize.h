#pragma once

#include <span>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"

namespace paretofl {

/// Draws every slice from U(-b, b), b = 1 / sqrt(fan_in), PyTorch's default for convolutions and fully
/// connected layers. A weight's fan_in is the product of its extents but the first; a slice of one extent
/// is the bias of the weight before it. Each slice has a substream of its own, named like the slice.
void initialize_by_fan_in(const Layout& layout, const Random& random, std::span<float> parameters);

}  // namespace paretofl
