#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/kernels/conv_pool.h"
#include "paretofl/models/head.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

/// How the second convolution is computed: by direct sums, or by Winograd's minimal filtering (winograd_conv.h), which takes fewer
/// multiplications and rounds differently. The first has too few input channels to gain from it.
enum class ConvolutionMethod : std::uint8_t { kDirect, kWinograd };

/// A small convolutional network. Encoder: square image, conv (3x3, padding 1), max-pool 2, ReLU, conv (3x3), max-pool
/// 2, ReLU, fully connected to the features, ReLU, dropout 1/2. Head of each objective: features -> head_hidden, ReLU,
/// dropout 1/2, -> outputs; or straight to the outputs where head_hidden is 0.
struct ConvNetShape {
  const char* name;
  std::size_t channels;   ///< of the image
  std::size_t side;       ///< of the image, a multiple of 4
  std::size_t channels1;  ///< after the first convolution, a multiple of WinogradConv::kChannels
  std::size_t channels2;  ///< likewise after the second
  std::size_t features;
  std::size_t head_hidden;

  std::size_t inputs() const { return channels * side * side; }
  ConvPoolShape conv1() const { return {.in = channels, .out = channels1, .height = side + 2, .width = side + 2}; }
  ConvPoolShape conv2() const { return {.in = channels1, .out = channels2, .height = side / 2, .width = side / 2}; }
  std::size_t flat() const { return conv2().output_size(); }  ///< inputs of the fully connected layer
};

/// The LeNet of FedCMOO's MultiMNIST and MNIST+FMNIST (its appendix D.3): with ten classes d = 28,515 + 3,060 M.
inline constexpr ConvNetShape kLenet{
    .name = "lenet", .channels = 1, .side = 28, .channels1 = 10, .channels2 = 15, .features = 50, .head_hidden = 50};

/// For 32x32 colour images and many objectives, a hundredth of resnet18's work: d = 151,600 + 101 outputs M.
inline constexpr ConvNetShape kSmallCnn{
    .name = "small_cnn", .channels = 3, .side = 32, .channels1 = 15, .channels2 = 30, .features = 100, .head_hidden = 0};

/// Slices encoder.{conv1,conv2,fc}.{weight,bias}, then of every head head<k>.{fc1,fc2}.{weight,bias}, or
/// head<k>.fc.{weight,bias} without a hidden layer. Throws Error unless every head has outputs, a loss that reads
/// labels, and labels that fit a byte.
std::shared_ptr<const Layout> conv_net_layout(const ConvNetShape& shape, const std::vector<Head>& heads);

/// The network on these slices, from "images" [N, channels, side, side] to an output of each objective, named `objectives` [M].
NetworkGraph conv_net_network(const ConvNetShape& shape, const std::vector<Head>& heads, std::span<const std::string> objectives);

}  // namespace paretofl
