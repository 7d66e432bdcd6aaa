#include "paretofl/models/dense_net.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

std::size_t DenseNet::keep_rows_with_gradient(std::span<const float> weight, std::size_t out) {
  const std::size_t in = weight.size() / out;
  kept_.clear();
  for (std::size_t o = 0; o < out; ++o) {
    const std::span<const Lanes> row(gradient_.data() + o * registers_, registers_);
    LaneInts any{};
    for (const Lanes& x : row) any |= x != 0;
    for (std::size_t k = 0; k < kLanes; ++k) {
      if (any[k] != 0) {
        kept_.push_back(o);
        break;
      }
    }
  }
  if (kept_.empty() || kept_.size() * 8 > out * 7) {  // too few rows without one to be worth the copies
    kept_.resize(out);
    std::iota(kept_.begin(), kept_.end(), std::size_t{0});
    return out;
  }
  kept_weight_.resize(kept_.size() * in);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    std::copy_n(gradient_.data() + kept_[i] * registers_, registers_, gradient_.data() + i * registers_);
    std::copy_n(weight.data() + kept_[i] * in, in, kept_weight_.data() + i * in);
  }
  return kept_.size();
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
    const std::size_t count = keep_rows_with_gradient(theta.subspan(begin, out * in), out);
    const bool all = count == out;
    if (!gradient.empty()) {
      const std::span<float> weight_gradient = gradient.subspan(begin, out * in);
      const std::span<float> bias_gradient = gradient.subspan(begin + out * in, out);
      put_samples_outermost(activations_[l - 1], registers_, by_row_);
      kept_gradient_.resize(all ? 0 : count * in);
      multiply_panels({floats(gradient_), registers_ * kLanes, 1}, count, n, by_row_.data(), whole_lanes(in) / kLanes, in,
                      all ? weight_gradient.data() : kept_gradient_.data(), in);
      if (!all) std::fill(weight_gradient.begin(), weight_gradient.end(), 0.0F);
      std::fill(bias_gradient.begin(), bias_gradient.end(), 0.0F);
      for (std::size_t i = 0; i < count; ++i) {
        if (!all) std::copy_n(kept_gradient_.data() + i * in, in, weight_gradient.data() + kept_[i] * in);
        bias_gradient[kept_[i]] = sum_in_parts({floats(gradient_) + i * registers_ * kLanes, registers_ * kLanes});
      }
    }
    if (l > 1 || !input_gradient.empty()) {
      next_gradient_.resize(in * registers_);
      multiply_panels({all ? theta.data() + begin : kept_weight_.data(), 1, in}, in, count, gradient_.data(), registers_,
                      registers_ * kLanes, floats(next_gradient_), registers_ * kLanes);
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
