#pragma once

#include <string>

#include "paretofl/models/dense_net.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

// Each appends the operations of a layer to the graph and returns the name of the result. Layers are named as in a layout: their
// parameters are the slices <layer>.weight and <layer>.bias.

std::string relu_of(NetworkGraph& graph, const std::string& x);

/// x [N, in] to [N, out] by <layer>.weight [out, in] and <layer>.bias.
std::string linear_of(NetworkGraph& graph, const std::string& layer, const std::string& x);

/// The same for x [..., in] of any number of dimensions.
std::string affine_of(NetworkGraph& graph, const std::string& layer, const std::string& x);

/// x [N, C, H, W] by <layer>.weight [out, C, kernel, kernel], and by <layer>.bias if there is one.
struct ConvolutionShape {
  std::int64_t kernel = 3;
  std::int64_t padding = 0;
  std::int64_t stride = 1;
  bool bias = true;
};
std::string convolution_of(NetworkGraph& graph, const std::string& layer, const ConvolutionShape& shape, const std::string& x);

/// relu(max_pool(convolution of 3 x 3)), pooled by 2 x 2.
std::string conv_pool_of(NetworkGraph& graph, const std::string& layer, std::int64_t padding, const std::string& x);

/// The network of a DenseShape with the slices of dense_slices(shape, name).
std::string dense_of(NetworkGraph& graph, const DenseShape& shape, const std::string& name, const std::string& x);

}  // namespace paretofl
