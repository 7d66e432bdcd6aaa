#include "paretofl/kernels/decoder_kernels.h"

#include <algorithm>
#include <cmath>

#include "paretofl/kernels/lane_exp.h"

namespace paretofl {
namespace {

// Calls step(i, n) for the n numbers from i on, kLanes at a time and the rest at last.
template <class Step>
void in_lanes(std::size_t count, const Step& step) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) step(i, kLanes);
  if (i < count) step(i, count - i);
}

}  // namespace

void rms_norm_rows(const float* x, const float* weight, float epsilon, std::size_t rows, std::size_t width, float* y, float* factors) {
  for (std::size_t r = 0; r < rows; ++r, x += width, y += width) {
    Lanes squares{};
    in_lanes(width, [&](std::size_t i, std::size_t n) {
      const Lanes part = load_lanes(x + i, n);
      squares += part * part;
    });
    const float factor = 1 / std::sqrt(sum_lanes(squares) / static_cast<float>(width) + epsilon);
    for (std::size_t i = 0; i < width; ++i) y[i] = x[i] * factor * weight[i];
    factors[r] = factor;
  }
}

void rms_norm_gradients(const float* x, const float* weight, const float* factors, const float* by_y, std::size_t rows, std::size_t width,
                        float* by_x, float* by_weight) {
  for (std::size_t r = 0; r < rows; ++r, x += width, by_y += width, by_x += width) {
    Lanes along{};
    in_lanes(width,
             [&](std::size_t i, std::size_t n) { along += load_lanes(by_y + i, n) * load_lanes(weight + i, n) * load_lanes(x + i, n); });
    const float factor = factors[r];
    const float pull = factor * factor * sum_lanes(along) / static_cast<float>(width);
    for (std::size_t i = 0; i < width; ++i) by_x[i] = factor * (by_y[i] * weight[i] - pull * x[i]);
    if (by_weight == nullptr) continue;
    for (std::size_t i = 0; i < width; ++i) by_weight[i] += by_y[i] * x[i] * factor;
  }
}

void gate_numbers(const float* x, const float* factors, std::size_t count, float* y) {
  in_lanes(count, [&](std::size_t i, std::size_t n) {
    const Lanes in = load_lanes(x + i, n);
    store_lanes(y + i, in * sigmoid_lanes(in) * load_lanes(factors + i, n), n);
  });
}

void gate_gradients(const float* x, const float* factors, const float* by_y, std::size_t count, float* by_x, float* by_factors) {
  in_lanes(count, [&](std::size_t i, std::size_t n) {
    const Lanes in = load_lanes(x + i, n);
    const Lanes by = load_lanes(by_y + i, n);
    const Lanes sigmoid = sigmoid_lanes(in);
    store_lanes(by_factors + i, by * in * sigmoid, n);
    store_lanes(by_x + i, by * load_lanes(factors + i, n) * sigmoid * (1 + in * (1 - sigmoid)), n);
  });
}

void rotate_rows(const float* x, const float* cosines, const float* sines, std::size_t rows, std::size_t heads, std::size_t half,
                 bool backwards, float* y) {
  const float sign = backwards ? -1 : 1;
  for (std::size_t r = 0; r < rows; ++r, cosines += half, sines += half) {
    for (std::size_t h = 0; h < heads; ++h, x += 2 * half, y += 2 * half) {
      for (std::size_t i = 0; i < half; ++i) {
        const float first = x[i];
        const float second = x[i + half];
        const float sine = sign * sines[i];
        y[i] = first * cosines[i] - second * sine;
        y[i + half] = second * cosines[i] + first * sine;
      }
    }
  }
}

}  // namespace paretofl
