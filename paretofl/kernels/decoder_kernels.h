#pragma once

#include <cstddef>

namespace paretofl {

// What a decoder does to the rows of its activations, which follow one another, and the gradients of that.

/// y = x / sqrt(mean(x^2) + epsilon) * weight, row by row; keeps the factors 1 / sqrt(..) [rows].
void rms_norm_rows(const float* x, const float* weight, float epsilon, std::size_t rows, std::size_t width, float* y, float* factors);
/// Writes the gradient with respect to x and adds that with respect to the weight, unless `by_weight` is null.
void rms_norm_gradients(const float* x, const float* weight, const float* factors, const float* by_y, std::size_t rows, std::size_t width,
                        float* by_x, float* by_weight);

/// y = silu(x) * factors (SwiGLU).
void gate_numbers(const float* x, const float* factors, std::size_t count, float* y);
void gate_gradients(const float* x, const float* factors, const float* by_y, std::size_t count, float* by_x, float* by_factors);

/// Turns number i of every head [rows, heads, 2 * half] with number i + half by the angles of its row, whose cosines and sines
/// are [rows, half]; backwards if asked to.
void rotate_rows(const float* x, const float* cosines, const float* sines, std::size_t rows, std::size_t heads, std::size_t half,
                 bool backwards, float* y);

}  // namespace paretofl
