#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/core/layout.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

/// Computes a NetworkGraph in double precision, each of ONNX's operations by its definition in plain loops: what an exported network is
/// held against an engine's model with.
class NetworkInterpreter {
 public:
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<double> values;  ///< row-major
  };

  NetworkInterpreter(const NetworkGraph& graph, const Layout& layout, std::span<const float> theta) : graph_(graph) {
    for (const Slice& slice : layout.slices()) {
      const auto part = theta.subspan(slice.range.begin, slice.range.size());
      parameters_[slice.name] = {slice.shape, {part.begin(), part.end()}};
    }
    for (const NetworkGraph::Constant& constant : graph.constants) {
      std::visit(
          [&](const auto& values) {
            expect(std::ssize(values) == count(constant.shape), "{}: expected {} values, as its shape says, found {}", constant.name,
                   count(constant.shape), values.size());
            parameters_[constant.name] = {constant.shape, {values.begin(), values.end()}};
          },
          constant.values);
    }
  }

  /// The outputs by name for a batch of inputs by name.
  std::map<std::string, Tensor> run(std::map<std::string, Tensor> values) const {
    for (const NetworkGraph::Node& node : graph_.nodes) {
      std::vector<Tensor> inputs;
      for (const std::string& name : node.inputs) {
        const auto found = values.find(name);
        inputs.push_back(found != values.end() ? found->second : parameters_.at(name));
      }
      const std::vector<Tensor> outputs = compute(node, inputs);
      for (std::size_t i = 0; i < outputs.size(); ++i) values[node.outputs[i]] = outputs[i];
    }
    std::map<std::string, Tensor> outputs;
    for (const NetworkGraph::Port& port : graph_.outputs) outputs[port.name] = values.at(port.name);
    return outputs;
  }

 private:
  using Shape = std::vector<std::int64_t>;
  using Number = double (*)(double);
  using Pair = double (*)(double, double);

  static std::int64_t count(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }

  /// Calls `visit` with every index of a shape, in row-major order.
  static void for_each(const Shape& shape, const std::function<void(const Shape&)>& visit) {
    Shape index(shape.size(), 0);
    for (std::int64_t i = 0; i < count(shape); ++i) {
      visit(index);
      for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (++index[axis] < shape[axis]) break;
        index[axis] = 0;
      }
    }
  }

  /// An element, by an index of as many or more dimensions: those of size 1 and those missing at the front are repeated.
  static double& at(Tensor& tensor, const Shape& index) { return tensor.values[offset(tensor.shape, index)]; }
  static const double& at(const Tensor& tensor, const Shape& index) { return tensor.values[offset(tensor.shape, index)]; }
  static std::size_t offset(const Shape& shape, const Shape& index) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::int64_t i = index[index.size() - shape.size() + axis];
      place = place * shape[axis] + (shape[axis] == 1 ? 0 : i);
    }
    return static_cast<std::size_t>(place);
  }

  static Shape broadcast(const Shape& a, const Shape& b) {
    Shape shape = a.size() >= b.size() ? a : b;
    const Shape& other = a.size() >= b.size() ? b : a;
    for (std::size_t i = 0; i < other.size(); ++i) {
      std::int64_t& extent = shape[shape.size() - other.size() + i];
      extent = std::max(extent, other[i]);
    }
    return shape;
  }

  static Tensor zeros(const Shape& shape) { return {shape, std::vector<double>(static_cast<std::size_t>(count(shape)))}; }

  static Tensor filled(const Shape& shape, const std::function<double(const Shape&)>& value) {
    Tensor result = zeros(shape);
    for_each(shape, [&](const Shape& index) { at(result, index) = value(index); });
    return result;
  }

  static std::int64_t integer(const NetworkGraph::Node& node, const std::string& name, std::int64_t otherwise) {
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() ? otherwise : std::get<std::int64_t>(found->second);
  }
  static const Shape& list(const NetworkGraph::Node& node, const std::string& name) { return std::get<Shape>(node.attributes.at(name)); }
  static Shape integers(const Tensor& tensor) { return {tensor.values.begin(), tensor.values.end()}; }

  static Shape swapped(Shape index, std::size_t axis, std::int64_t i) {
    index[axis] = i;
    return index;
  }

  static Tensor multiplied(const Tensor& a, const Tensor& b) {
    Shape rest_a(a.shape.begin(), a.shape.end() - 2), rest_b(b.shape.begin(), b.shape.end() - 2);
    Shape shape = broadcast(rest_a, rest_b);
    shape.push_back(a.shape[a.shape.size() - 2]);
    shape.push_back(b.shape.back());
    return filled(shape, [&](const Shape& index) {
      double sum = 0;
      const double* row = &at(a, swapped(index, index.size() - 1, 0));
      const double* column = &at(b, swapped(index, index.size() - 2, 0));
      for (std::int64_t k = 0; k < a.shape.back(); ++k) sum += row[k] * column[k * b.shape.back()];
      return sum;
    });
  }

  static Tensor transposed(const Tensor& x, const Shape& order) {
    Shape shape;
    for (const std::int64_t axis : order) shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
    return filled(shape, [&](const Shape& index) {
      Shape from(index.size());
      for (std::size_t i = 0; i < index.size(); ++i) from[static_cast<std::size_t>(order[i])] = index[i];
      return at(x, from);
    });
  }

  static Tensor reshaped(const Tensor& x, Shape shape) {
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = shape[i] == 0 ? x.shape[i] : shape[i];
    const auto rest = std::find(shape.begin(), shape.end(), -1);
    if (rest != shape.end()) *rest = -count(x.shape) / count(shape);
    return {shape, x.values};
  }

  /// Windows of the last two dimensions [N, C, H, W]: `value` of the output's index and the window's corner, which may lie outside.
  static Tensor windows(const NetworkGraph::Node& node, const Tensor& x, std::int64_t channels, std::int64_t padding,
                        const std::function<double(const Shape&, std::int64_t, std::int64_t)>& value) {
    const std::int64_t kernel = list(node, "kernel_shape")[0], stride = list(node, "strides")[0];
    const auto extent = [&](std::int64_t size) { return (size + 2 * padding - kernel) / stride + 1; };
    return filled({x.shape[0], channels, extent(x.shape[2]), extent(x.shape[3])},
                  [&](const Shape& index) { return value(index, index[2] * stride - padding, index[3] * stride - padding); });
  }

  /// With few calls inside, for networks of hundreds of millions of products.
  static Tensor convolved(const NetworkGraph::Node& node, const std::vector<Tensor>& in) {
    const Tensor &x = in[0], &weight = in[1];
    const std::int64_t channels = x.shape[1], height = x.shape[2], width = x.shape[3], kernel = weight.shape[2];
    return windows(node, x, weight.shape[0], list(node, "pads")[0], [&](const Shape& index, std::int64_t top, std::int64_t left) {
      double sum = in.size() > 2 ? in[2].values[static_cast<std::size_t>(index[1])] : 0;
      const double* pixels = x.values.data() + index[0] * channels * height * width;
      const double* factors = weight.values.data() + index[1] * channels * kernel * kernel;
      const std::int64_t first_row = std::max<std::int64_t>(0, -top), last_row = std::min(kernel, height - top);
      const std::int64_t first_column = std::max<std::int64_t>(0, -left), last_column = std::min(kernel, width - left);
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t i = first_row; i < last_row; ++i) {
          const double* from = pixels + (c * height + top + i) * width + left;
          const double* by = factors + (c * kernel + i) * kernel;
          for (std::int64_t j = first_column; j < last_column; ++j) sum += from[j] * by[j];
        }
      }
      return sum;
    });
  }

  static Tensor pooled(const NetworkGraph::Node& node, const Tensor& x, bool largest) {
    const std::int64_t kernel = list(node, "kernel_shape")[0];
    return windows(node, x, x.shape[1], 0, [&](const Shape& index, std::int64_t top, std::int64_t left) {
      double sum = 0, most = -INFINITY;
      for_each({kernel, kernel}, [&](const Shape& k) {
        const double value = at(x, {index[0], index[1], top + k[0], left + k[1]});
        sum += value;
        most = std::max(most, value);
      });
      return largest ? most : sum / static_cast<double>(kernel * kernel);
    });
  }

  /// [N, C, L]: of each channel of each sample mean 0 and variance 1.
  static Tensor normalized(const NetworkGraph::Node& node, const std::vector<Tensor>& in) {
    const Tensor& x = in[0];
    const double epsilon = std::get<float>(node.attributes.at("epsilon"));
    const auto length = static_cast<double>(x.shape[2]);
    Tensor result = x;
    for_each({x.shape[0], x.shape[1]}, [&](const Shape& index) {
      double mean = 0, variance = 0;
      for (std::int64_t i = 0; i < x.shape[2]; ++i) mean += at(x, {index[0], index[1], i}) / length;
      for (std::int64_t i = 0; i < x.shape[2]; ++i) variance += std::pow(at(x, {index[0], index[1], i}) - mean, 2) / length;
      for (std::int64_t i = 0; i < x.shape[2]; ++i) {
        double& value = at(result, {index[0], index[1], i});
        value = (value - mean) / std::sqrt(variance + epsilon) * in[1].values[static_cast<std::size_t>(index[1])] +
                in[2].values[static_cast<std::size_t>(index[1])];
      }
    });
    return result;
  }

  static Tensor softmax(const Tensor& x, std::size_t axis) {
    return filled(x.shape, [&](const Shape& index) {
      double sum = 0;
      for (std::int64_t i = 0; i < x.shape[axis]; ++i) sum += std::exp(at(x, swapped(index, axis, i)) - at(x, index));
      return 1 / sum;
    });
  }

  static std::vector<Tensor> split(const NetworkGraph::Node& node, const std::vector<Tensor>& in) {
    const auto axis = static_cast<std::size_t>(integer(node, "axis", 0));
    std::vector<Tensor> parts;
    std::int64_t first = 0;
    for (const std::int64_t size : integers(in[1])) {
      parts.push_back(filled(swapped(in[0].shape, axis, size),
                             [&](const Shape& index) { return at(in[0], swapped(index, axis, first + index[axis])); }));
      first += size;
    }
    return parts;
  }

  static Tensor concatenated(const NetworkGraph::Node& node, const std::vector<Tensor>& in) {
    const auto axis = static_cast<std::size_t>(integer(node, "axis", 0));
    const std::int64_t first = in[0].shape[axis];
    return filled(swapped(in[0].shape, axis, first + in[1].shape[axis]), [&](const Shape& index) {
      return index[axis] < first ? at(in[0], index) : at(in[1], swapped(index, axis, index[axis] - first));
    });
  }

  static Tensor summed(const NetworkGraph::Node& node, const std::vector<Tensor>& in) {
    const auto axis = static_cast<std::size_t>(integers(in[1])[0]);
    Tensor result = filled(swapped(in[0].shape, axis, 1), [&](const Shape& index) {
      double sum = 0;
      for (std::int64_t i = 0; i < in[0].shape[axis]; ++i) sum += at(in[0], swapped(index, axis, i));
      return sum;
    });
    if (integer(node, "keepdims", 1) == 0) result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return result;
  }

  static Tensor of_each(const Tensor& x, Number function) {
    Tensor result = x;
    for (double& value : result.values) value = function(value);
    return result;
  }

  static Tensor of_pairs(const Tensor& a, const Tensor& b, Pair function) {
    return filled(broadcast(a.shape, b.shape), [&](const Shape& index) { return function(at(a, index), at(b, index)); });
  }

  static std::vector<Tensor> compute(const NetworkGraph::Node& node, const std::vector<Tensor>& in) {
    static const std::map<std::string, Number> kNumbers = {{"Identity", [](double x) { return x; }},
                                                           {"Relu", [](double x) { return std::max(x, 0.0); }},
                                                           {"Tanh", [](double x) { return std::tanh(x); }},
                                                           {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }}};
    static const std::map<std::string, Pair> kPairs = {{"Add", [](double a, double b) { return a + b; }},
                                                       {"Sub", [](double a, double b) { return a - b; }},
                                                       {"Mul", [](double a, double b) { return a * b; }},
                                                       {"Div", [](double a, double b) { return a / b; }},
                                                       {"Max", [](double a, double b) { return std::max(a, b); }}};
    const std::string& operation = node.operation;
    if (kNumbers.contains(operation)) return {of_each(in[0], kNumbers.at(operation))};
    if (kPairs.contains(operation)) return {of_pairs(in[0], in[1], kPairs.at(operation))};
    if (operation == "Gemm") return {of_pairs(multiplied(in[0], transposed(in[1], {1, 0})), in[2], kPairs.at("Add"))};
    if (operation == "MatMul") return {multiplied(in[0], in[1])};
    if (operation == "Transpose") return {transposed(in[0], node.attributes.empty() ? Shape{1, 0} : list(node, "perm"))};
    if (operation == "Reshape") return {reshaped(in[0], integers(in[1]))};
    if (operation == "Flatten") return {reshaped(in[0], {0, -1})};
    if (operation == "Conv") return {convolved(node, in)};
    if (operation == "MaxPool") return {pooled(node, in[0], true)};
    if (operation == "AveragePool") return {pooled(node, in[0], false)};
    if (operation == "InstanceNormalization") return {normalized(node, in)};
    if (operation == "Softmax") return {softmax(in[0], static_cast<std::size_t>(integer(node, "axis", -1)) % in[0].shape.size())};
    if (operation == "Split") return split(node, in);
    if (operation == "Concat") return {concatenated(node, in)};
    if (operation == "ReduceSum") return {summed(node, in)};
    if (operation == "Unsqueeze" || operation == "Squeeze") {
      Tensor result = in[0];
      const auto place = result.shape.begin() + static_cast<std::ptrdiff_t>(integers(in[1])[0]);
      operation == "Unsqueeze" ? result.shape.insert(place, 1) : result.shape.erase(place);
      return {result};
    }
    if (operation == "Pad") {  // by one number at the end of the last dimension
      Shape shape = in[0].shape;
      ++shape.back();
      return {filled(shape, [&](const Shape& index) { return index.back() + 1 == shape.back() ? in[2].values[0] : at(in[0], index); })};
    }
    if (operation == "Gather") {
      return {filled({in[1].shape[0], in[0].shape[1]}, [&](const Shape& index) {
        return at(in[0], {static_cast<std::int64_t>(in[1].values[static_cast<std::size_t>(index[0])]), index[1]});
      })};
    }
    if (operation == "ArgMax") {
      return {filled({in[0].shape[0]}, [&](const Shape& index) {
        const auto row = in[0].values.begin() + index[0] * in[0].shape[1];
        return static_cast<double>(std::max_element(row, row + in[0].shape[1]) - row);
      })};
    }
    throw Error("network interpreter: expected a known operation, found " + operation);
  }

  const NetworkGraph& graph_;
  std::map<std::string, Tensor> parameters_;
};

}  // namespace paretofl
