#include "paretofl/kernels/decoder_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

std::vector<float> random_numbers(std::size_t count, std::uint64_t seed) {
  Random random({seed}, "kernels");
  std::vector<float> numbers(count);
  for (float& x : numbers) x = static_cast<float>(2 * random.normal());
  return numbers;
}

// The slope of sum(f(x) * by_y) with respect to x[i], in float64.
double slope(const std::function<std::vector<double>(const std::vector<double>&)>& f, const std::vector<float>& x,
             const std::vector<float>& by_y, std::size_t i) {
  const auto loss = [&](double moved) {
    std::vector<double> at(x.begin(), x.end());
    at[i] += moved;
    const std::vector<double> y = f(at);
    double sum = 0;
    for (std::size_t j = 0; j < y.size(); ++j) sum += y[j] * by_y[j];
    return sum;
  };
  return (loss(1e-5) - loss(-1e-5)) / 2e-5;
}

class DecoderKernels : public testing::TestWithParam<std::size_t> {};  // numbers of a row

TEST_P(DecoderKernels, RmsNorm) {
  const std::size_t width = GetParam(), rows = 3;
  const std::vector<float> x = random_numbers(rows * width, 1), weight = random_numbers(width, 2), by_y = random_numbers(rows * width, 3);
  const auto norm = [&](const std::vector<double>& at) {
    std::vector<double> y(at.size());
    for (std::size_t r = 0; r < rows; ++r) {
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i) squares += at[r * width + i] * at[r * width + i];
      for (std::size_t i = 0; i < width; ++i) {
        y[r * width + i] = at[r * width + i] / std::sqrt(squares / static_cast<double>(width) + 0.01) * weight[i];
      }
    }
    return y;
  };
  std::vector<float> y(x.size(), NAN), factors(rows, NAN), by_x(x.size(), NAN), by_weight(width, 1);
  rms_norm_rows(x.data(), weight.data(), 0.01F, rows, width, y.data(), factors.data());
  rms_norm_gradients(x.data(), weight.data(), factors.data(), by_y.data(), rows, width, by_x.data(), by_weight.data());
  const std::vector<double> expected = norm({x.begin(), x.end()});
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(y[i], expected[i], 2e-6 * (1 + std::abs(expected[i]))) << i;
    EXPECT_NEAR(by_x[i], slope(norm, x, by_y, i), 2e-5) << i;
  }
  for (std::size_t i = 0; i < width; ++i) {  // added to what was there
    double along = 1;
    for (std::size_t j = i; j < x.size(); j += width) along += by_y[j] * expected[j] / weight[i];
    EXPECT_NEAR(by_weight[i], along, 2e-5) << i;
  }
}

TEST_P(DecoderKernels, Gate) {
  const std::size_t count = GetParam();
  std::vector<float> x = random_numbers(count, 1);
  const std::vector<float> factors = random_numbers(count, 2), by_y = random_numbers(count, 3);
  x[0] = -200;  // its silu is nothing
  const auto silu = [](double z) { return z / (1 + std::exp(-z)); };
  std::vector<float> y(count, NAN), by_x(count, NAN), by_factors(count, NAN);
  gate_numbers(x.data(), factors.data(), count, y.data());
  gate_gradients(x.data(), factors.data(), by_y.data(), count, by_x.data(), by_factors.data());
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(y[i], silu(x[i]) * factors[i], 1e-6 * (1 + std::abs(y[i]))) << i;
    EXPECT_NEAR(by_factors[i], silu(x[i]) * by_y[i], 1e-6 * (1 + std::abs(by_factors[i]))) << i;
    const double by_silu = (silu(x[i] + 1e-5) - silu(x[i] - 1e-5)) / 2e-5;
    EXPECT_NEAR(by_x[i], by_silu * factors[i] * by_y[i], 1e-5) << i;
  }
}

TEST_P(DecoderKernels, RotationTurnsPairsAndItsGradientTurnsBack) {
  const std::size_t half = GetParam(), rows = 2, heads = 3;
  const std::vector<float> x = random_numbers(rows * heads * 2 * half, 1), angles = random_numbers(rows * half, 2);
  std::vector<float> cosines, sines;
  for (const float angle : angles) {
    cosines.push_back(std::cos(angle));
    sines.push_back(std::sin(angle));
  }
  std::vector<float> y(x.size(), NAN), back(x.size(), NAN);
  rotate_rows(x.data(), cosines.data(), sines.data(), rows, heads, half, false, y.data());
  rotate_rows(y.data(), cosines.data(), sines.data(), rows, heads, half, true, back.data());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t a = (r * heads + h) * 2 * half + i, b = a + half;
        const double cosine = cosines[r * half + i], sine = sines[r * half + i];
        EXPECT_NEAR(y[a], x[a] * cosine - x[b] * sine, 2e-6);
        EXPECT_NEAR(y[b], x[b] * cosine + x[a] * sine, 2e-6);
      }
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[i], x[i], 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Widths, DecoderKernels, testing::Values(1, 3, 16, 24, 37, 160));

}  // namespace
}  // namespace paretofl
