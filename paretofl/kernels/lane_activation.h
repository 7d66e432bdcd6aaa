#pragma once

#include <cstddef>
#include <string>

#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// Every number through "silu" (x / (1 + e^-x)), "gelu_new" (by tanh) or "gelu" (by the error function).
void activate(const std::string& name, Lanes* x, std::size_t count);

}  // namespace paretofl
