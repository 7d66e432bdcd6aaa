#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/models/head.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

/// What a LibTorch forward function gets to work with in one call.
class TorchCall {
 public:
  /// `dropout` is null in evaluation mode.
  TorchCall(std::map<std::string, at::Tensor, std::less<>> parameters, at::Tensor inputs, const Random* dropout)
      : parameters_(std::move(parameters)), inputs_(std::move(inputs)), dropout_(dropout) {}

  /// The named slice of the layout, in its shape.
  const at::Tensor& parameter(std::string_view slice) const;
  const at::Tensor& inputs() const { return inputs_; }  ///< [N, ...]
  /// Dropout of `x` [N, units] with keep probability 1/2 (DropoutMask), its bits drawn from the call's
  /// substream (purpose, index), never from torch's generator; `x` itself in evaluation mode.
  at::Tensor dropout(const at::Tensor& x, std::string_view purpose, std::uint64_t index = 0) const;

 private:
  std::map<std::string, at::Tensor, std::less<>> parameters_;
  at::Tensor inputs_;
  const Random* dropout_;
};

/// A multi-objective model as a LibTorch forward function: what TorchModel needs to make it a Model. All heads
/// have the same number of outputs.
struct TorchGraph {
  std::shared_ptr<const Layout> layout;
  std::vector<Head> heads;                ///< [M]
  std::vector<std::int64_t> input_shape;  ///< of one sample, such as C, H, W
  std::function<void(const Random&, std::span<float>)> initialize;
  /// Outputs before softmax or sigmoid, [objectives.size(), N, outputs]; must not use the other heads.
  std::function<at::Tensor(const TorchCall&, std::span<const int> objectives)> forward;
  /// The same for other programs (Model::network); may be empty.
  std::function<NetworkGraph(std::span<const std::string> objectives)> network = {};
};

}  // namespace paretofl
