#include "paretofl/models/dense_net.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/kernels/panel_product.h"
#include "paretofl/kernels/transpose.h"

namespace paretofl {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

float* floats(std::vector<Lanes>& values) { return reinterpret_cast<float*>(values.data()); }
const float* floats(const std::vector<Lanes>& values) { return reinterpret_cast<const float*>(values.data()); }

void apply_tanh(std::span<float> values) {
  for (float& x : values) x = std::tanh(x);
}

/// The sum of whole registers: every kSumLanes-th number, then these sums.
float sum_in_parts(std::span<const float> numbers) {
  std::array<float, kSumLanes> sums{};
  for (std::size_t i = 0; i < numbers.size(); i += kSumLanes) {
    for (std::size_t k = 0; k < kSumLanes; ++k) sums[k] += numbers[i + k];
  }
  float sum = 0;
  for (const float x : sums) sum += x;
  return sum;
}

/// rows [n, width] -> columns [width, registers], zeros beyond n.
void put_samples_innermost(std::span<const float> rows, std::size_t n, std::size_t registers, std::vector<Lanes>& columns) {
  const std::size_t width = rows.size() / n;
  columns.assign(width * registers, Lanes{});
  float* to = floats(columns);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t i = 0; i < width; ++i) to[i * registers * kLanes + row] = rows[row * width + i];
  }
}

/// columns [width, registers] -> rows [n, width].
void put_samples_outermost(const std::vector<Lanes>& columns, std::size_t n, std::size_t registers, std::span<float> rows) {
  const std::size_t width = rows.size() / n;
  const float* from = floats(columns);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t i = 0; i < width; ++i) rows[row * width + i] = from[i * registers * kLanes + row];
  }
}

/// The same into whole registers: rows [registers * kLanes, ceil(width / kLanes)], block by block.
void put_samples_outermost(const std::vector<Lanes>& columns, std::size_t registers, std::vector<Lanes>& rows) {
  const std::size_t width = columns.size() / registers;
  const std::size_t row_registers = whole_lanes(width) / kLanes;
  rows.resize(registers * kLanes * row_registers);
  for (std::size_t b = 0; b < row_registers; ++b) {
    for (std::size_t s = 0; s < registers; ++s) {
      Lanes block[kLanes]{};
      for (std::size_t i = 0; i < std::min(kLanes, width - b * kLanes); ++i) block[i] = columns[(b * kLanes + i) * registers + s];
      transpose(block);
      for (std::size_t i = 0; i < kLanes; ++i) rows[(s * kLanes + i) * row_registers + b] = block[i];
    }
  }
}

}  // namespace

std::size_t DenseShape::num_parameters() const {
  std::size_t count = 0;
  for (std::size_t l = 1; l < widths.size(); ++l) count += (widths[l - 1] + 1) * widths[l];
  return count;
}

std::vector<Slice> dense_slices(const DenseShape& shape, const std::string& name) {
  std::vector<Slice> slices;
  for (std::size_t l = 1; l < shape.widths.size(); ++l) {
    const auto in = static_cast<std::int64_t>(shape.widths[l - 1]);
    const auto out = static_cast<std::int64_t>(shape.widths[l]);
    slices.push_back({.name = fmt::format("{}.{}.weight", name, l - 1), .shape = {out, in}, .range = {}});
    slices.push_back({.name = fmt::format("{}.{}.bias", name, l - 1), .shape = {out}, .range = {}});
  }
  return slices;
}

DenseNet::DenseNet(DenseShape shape) : shape_(std::move(shape)), activations_(shape_.widths.size()) {
  expect(shape_.widths.size() >= 2, "network: expected at least the widths of inputs and outputs, found {}", shape_.widths.size());
  for (const std::size_t width : shape_.widths) expect(width > 0, "network: expected layers of positive width, found 0");
}

std::span<const float> DenseNet::forward(std::span<const float> theta, std::span<const float> inputs, std::size_t n) {
  expect(n > 0 && theta.size() == shape_.num_parameters() && inputs.size() == n * shape_.inputs(),
         "network: expected at least one row, {} parameters and {} inputs, found {}, {} and {}", shape_.num_parameters(),
         n * shape_.inputs(), n, theta.size(), inputs.size());
  rows_ = n;
  registers_ = whole_lanes(n) / kLanes;
  put_samples_innermost(inputs, n, registers_, activations_[0]);
  const float* weight = theta.data();
  for (std::size_t l = 1; l < shape_.widths.size(); ++l) {
    const std::size_t in = shape_.widths[l - 1];
    const std::size_t out = shape_.widths[l];
    const float* bias = weight + out * in;
    std::vector<Lanes>& y = activations_[l];
    y.resize(out * registers_);
    multiply_panels({weight, in, 1}, out, in, activations_[l - 1].data(), registers_, registers_ * kLanes, floats(y), registers_ * kLanes);
    const bool last = l + 1 == shape_.widths.size();
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t r = 0; r < registers_; ++r) {
        Lanes& z = y[o * registers_ + r];
        z += bias[o];
        if (!last) z = relu(z);
      }
    }
    weight = bias + out;
  }
  if (shape_.tanh_output) apply_tanh({floats(activations_.back()), shape_.outputs() * registers_ * kLanes});
  outputs_.resize(n * shape_.outputs());
  put_samples_outermost(activations_.back(), n, registers_, outputs_);
  return outputs_;
}

std::span<const float> DenseNet::forward_one(std::span<const float> theta, std::span<const float> input) {
  expect(theta.size() == shape_.num_parameters() && input.size() == shape_.inputs(),
         "network: expected {} parameters and {} inputs, found {} and {}", shape_.num_parameters(), shape_.inputs(), theta.size(),
         input.size());
  one_.assign(input.begin(), input.end());
  const float* weight = theta.data();
  for (std::size_t l = 1; l < shape_.widths.size(); ++l) {
    const auto in = static_cast<Eigen::Index>(shape_.widths[l - 1]);
    const auto out = static_cast<Eigen::Index>(shape_.widths[l]);
    const float* bias = weight + out * in;
    outputs_.resize(shape_.widths[l]);
    Eigen::Map<Eigen::VectorXf> y(outputs_.data(), out);
    y.noalias() = Eigen::Map<const Matrix>(weight, out, in) * Eigen::Map<const Eigen::VectorXf>(one_.data(), in);
    y += Eigen::Map<const Eigen::VectorXf>(bias, out);
    if (l + 1 < shape_.widths.size()) {
      y = y.cwiseMax(0.0F);
      std::swap(one_, outputs_);
    } else if (shape_.tanh_output) {
      apply_tanh(outputs_);
    }
    weight = bias + out;
  }
  return outputs_;
}

void DenseNet::backward(std::span<const float> theta, std::span<const float> output_gradient, std::span<float> gradient,
                        std::span<float> input_gradient) {
  const std::size_t n = rows_;
  expect(n > 0, "network: expected a forward pass before a backward one, found none");
  expect(output_gradient.size() == n * shape_.outputs() && (gradient.empty() || gradient.size() == theta.size()) &&
             (input_gradient.empty() || input_gradient.size() == n * shape_.inputs()),
         "network: expected gradients of {} outputs, {} parameters and {} inputs, found {}, {} and {}", n * shape_.outputs(), theta.size(),
         n * shape_.inputs(), output_gradient.size(), gradient.size(), input_gradient.size());
  put_samples_innermost(output_gradient, n, registers_, gradient_);
  if (shape_.tanh_output) {
    for (std::size_t i = 0; i < gradient_.size(); ++i) gradient_[i] *= 1 - activations_.back()[i] * activations_.back()[i];
  }
  std::size_t end = theta.size();  // of the layer's part of theta
  for (std::size_t l = shape_.widths.size() - 1; l >= 1; --l) {
    const std::size_t in = shape_.widths[l - 1];
    const std::size_t out = shape_.widths[l];
    const std::size_t begin = end - out * (in + 1);
    if (!gradient.empty()) {
      put_samples_outermost(activations_[l - 1], registers_, by_row_);
      multiply_panels({floats(gradient_), registers_ * kLanes, 1}, out, n, by_row_.data(), whole_lanes(in) / kLanes, in,
                      gradient.data() + begin, in);
      for (std::size_t o = 0; o < out; ++o) {
        gradient[begin + out * in + o] = sum_in_parts({floats(gradient_) + o * registers_ * kLanes, registers_ * kLanes});
      }
    }
    if (l > 1 || !input_gradient.empty()) {
      next_gradient_.resize(in * registers_);
      multiply_panels({theta.data() + begin, 1, in}, in, out, gradient_.data(), registers_, registers_ * kLanes, floats(next_gradient_),
                      registers_ * kLanes);
    }
    if (l > 1) {
      const std::vector<Lanes>& active = activations_[l - 1];
      for (std::size_t i = 0; i < next_gradient_.size(); ++i) next_gradient_[i] = active[i] > 0 ? next_gradient_[i] : Lanes{};
      std::swap(gradient_, next_gradient_);
    }
    end = begin;
  }
  if (!input_gradient.empty()) put_samples_outermost(next_gradient_, n, registers_, input_gradient);
}

}  // namespace paretofl
