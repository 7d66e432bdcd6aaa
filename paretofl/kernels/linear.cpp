#include "paretofl/kernels/linear.h"

#include <algorithm>

#include "paretofl/kernels/transpose.h"

namespace paretofl {
namespace {

constexpr std::size_t kInputBlock = 10;  // numbers computed side by side in registers

// sum[k] += sum_i weight[k * unit_stride + i * term_stride] * x[i], for Units units k.
template <std::size_t Units>
inline void multiply_block(const float* weight, std::size_t unit_stride, std::size_t term_stride, std::size_t terms, const Lanes* x,
                           Lanes* sums) {
  Lanes sum[Units];
  for (std::size_t k = 0; k < Units; ++k) sum[k] = sums[k];
  for (std::size_t i = 0; i < terms; ++i) {
#pragma GCC unroll 10
    for (std::size_t k = 0; k < Units; ++k) sum[k] += weight[k * unit_stride + i * term_stride] * x[i];
  }
  for (std::size_t k = 0; k < Units; ++k) sums[k] = sum[k];
}

// The same for any number of units.
void multiply(const float* weight, std::size_t unit_stride, std::size_t term_stride, std::size_t units, std::size_t terms, const Lanes* x,
              Lanes* sums) {
  std::size_t k = 0;
  for (; k + kInputBlock <= units; k += kInputBlock)
    multiply_block<kInputBlock>(weight + k * unit_stride, unit_stride, term_stride, terms, x, sums + k);
  for (; k + 2 <= units; k += 2) multiply_block<2>(weight + k * unit_stride, unit_stride, term_stride, terms, x, sums + k);
  if (k < units) multiply_block<1>(weight + k * unit_stride, unit_stride, term_stride, terms, x, sums + k);
}

}  // namespace

void linear_forward(const LinearShape& shape, const float* weight, const float* bias, const Lanes* input, Lanes* output) {
  for (std::size_t o = 0; o < shape.out; ++o) output[o] = Lanes{} + bias[o];
  multiply(weight, shape.in, 1, shape.out, shape.in, input, output);
}

void linear_parameter_gradient(const LinearShape& shape, const Lanes* input, const Lanes* gradient, float* weight_gradient,
                               float* bias_gradient, std::size_t part_stride) {
  for (std::size_t o = 0; o < shape.out; ++o) add_lanes(bias_gradient + o, gradient[o], part_stride);
  for (std::size_t i = 0; i < shape.in; i += kLanes) {
    const std::size_t count = std::min(kLanes, shape.in - i);
    Lanes block[kLanes]{};  // sample n's inputs i to i + count, once transposed
    std::copy_n(input + i, count, block);
    transpose(block);
    for (std::size_t o = 0; o < shape.out; ++o) {
#pragma GCC unroll 2
      for (std::size_t first = 0; first < kLanes; first += kSumLanes) {
        float* row = weight_gradient + first / kSumLanes * part_stride + o * shape.in + i;
        Lanes sum{};
#pragma GCC unroll 8
        for (std::size_t n = first; n < first + kSumLanes; ++n) sum += gradient[o][n] * block[n];
        if (count == kLanes) {
          store_lanes(row, load_lanes(row) + sum);
        } else {
          store_lanes(row, load_lanes(row, count) + sum, count);
        }
      }
    }
  }
}

void linear_squared_norms(const LinearShape& shape, const Lanes* input, const Lanes* gradient, LaneSums& squares) {
  Lanes of_input = Lanes{} + 1;
  for (std::size_t i = 0; i < shape.in; ++i) of_input += input[i] * input[i];
  Lanes of_gradient{};
  for (std::size_t o = 0; o < shape.out; ++o) of_gradient += gradient[o] * gradient[o];
  squares.add(of_input * of_gradient);
}

void linear_input_gradient(const LinearShape& shape, const float* weight, const Lanes* gradient, Lanes* input_gradient) {
  multiply(weight, 1, shape.in, shape.in, shape.out, gradient, input_gradient);
}

}  // namespace paretofl
