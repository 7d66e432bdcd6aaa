#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "paretofl/core/random.h"

namespace paretofl {

/// The next `count` draws of a fresh stream, computed on the device of `like` by operations on whole tensors: [count] integers of 64 bits,
/// each the same as the stream itself draws.
at::Tensor device_draws(const Random& stream, std::int64_t count, const at::Tensor& like);

}  // namespace paretofl
