#pragma once

#include "paretofl/kernels/lane_sums.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// A fully connected layer: output [out] = weight [out, in] * input [in] + bias [out].
struct LinearShape {
  std::size_t in;
  std::size_t out;
};

void linear_forward(const LinearShape& shape, const float* weight, const float* bias, const Lanes* input, Lanes* output);

/// Adds the gradient with respect to weight and bias, summed over the samples: as add_lanes of lanes.h has it.
void linear_parameter_gradient(const LinearShape& shape, const Lanes* input, const Lanes* gradient, float* weight_gradient,
                               float* bias_gradient, std::size_t part_stride = 0);

/// Adds the squared norm of what each sample adds to that gradient: (||input||^2 + 1) ||gradient||^2.
void linear_squared_norms(const LinearShape& shape, const Lanes* input, const Lanes* gradient, LaneSums& squares);

/// Adds the gradient with respect to the input to `input_gradient`.
void linear_input_gradient(const LinearShape& shape, const float* weight, const Lanes* gradient, Lanes* input_gradient);

}  // namespace paretofl
