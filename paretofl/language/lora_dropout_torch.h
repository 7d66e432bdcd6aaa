#pragma once

#include <ATen/core/Tensor.h>

#include "paretofl/core/random.h"

namespace paretofl {

/// x with each number zero with that probability and else divided by 1 - probability (Srivastava et al. 2014). Number i of
/// x, row by row, is kept where draw i of the stream, as a fraction of 2^32, is not below the probability.
at::Tensor drop_out(const at::Tensor& x, double probability, Random stream);

}  // namespace paretofl
