#include "paretofl/models/network_layers.h"

#include <fmt/format.h>

namespace paretofl {

std::string relu_of(NetworkGraph& graph, const std::string& x) { return graph.add("Relu", {x}); }

std::string linear_of(NetworkGraph& graph, const std::string& layer, const std::string& x) {
  return graph.add("Gemm", {x, layer + ".weight", layer + ".bias"}, {{"transB", std::int64_t{1}}});
}

std::string affine_of(NetworkGraph& graph, const std::string& layer, const std::string& x) {
  const std::string transposed = graph.add("Transpose", {layer + ".weight"});
  return graph.add("Add", {graph.add("MatMul", {x, transposed}), layer + ".bias"});
}

std::string convolution_of(NetworkGraph& graph, const std::string& layer, const ConvolutionShape& shape, const std::string& x) {
  const auto twice = [](std::int64_t size) { return std::vector<std::int64_t>{size, size}; };
  std::vector<std::string> inputs = {x, layer + ".weight"};
  if (shape.bias) inputs.push_back(layer + ".bias");
  return graph.add(
      "Conv", std::move(inputs),
      {{"kernel_shape", twice(shape.kernel)}, {"pads", std::vector<std::int64_t>(4, shape.padding)}, {"strides", twice(shape.stride)}});
}

std::string conv_pool_of(NetworkGraph& graph, const std::string& layer, std::int64_t padding, const std::string& x) {
  const std::vector<std::int64_t> two = {2, 2};
  const std::string convolved = convolution_of(graph, layer, {.padding = padding}, x);
  return relu_of(graph, graph.add("MaxPool", {convolved}, {{"kernel_shape", two}, {"strides", two}}));
}

std::string dense_of(NetworkGraph& graph, const DenseShape& shape, const std::string& name, const std::string& x) {
  std::string value = x;
  const std::size_t layers = shape.widths.size() - 1;
  for (std::size_t l = 0; l < layers; ++l) {
    value = linear_of(graph, fmt::format("{}.{}", name, l), value);
    if (l + 1 < layers) value = relu_of(graph, value);
  }
  return shape.tanh_output ? graph.add("Tanh", {value}) : value;
}

}  // namespace paretofl
