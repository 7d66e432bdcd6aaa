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

namespace paretofl {

/// What a LibTorch forward function gets to work with in one call.
class TorchCall {
 public:
  /// `dropout` is null in evaluation mode.
  TorchCall(std::map<std::string, at::Tensor, std::less<>> parameters, at::Tensor images, const Random* dropout)
      : parameters_(std::move(parameters)), images_(std::move(images)), dropout_(dropout) {}

  /// The named slice of the layout, in its shape.
  const at::Tensor& parameter(std::string_view slice) const;
  const at::Tensor& images() const { return images_; }  ///< [N, C, H, W]
  /// Dropout of `x` [N, units] with keep probability 1/2 (DropoutMask), its bits drawn from the call's
  /// substream (purpose, index), never from torch's generator; `x` itself in evaluation mode.
  at::Tensor dropout(const at::Tensor& x, std::string_view purpose, std::uint64_t index = 0) const;

 private:
  std::map<std::string, at::Tensor, std::less<>> parameters_;
  at::Tensor images_;
  const Random* dropout_;
};

/// A multi-objective classifier as a LibTorch forward function: what TorchModel needs to make it a Model.
struct TorchGraph {
  std::shared_ptr<const Layout> layout;
  int num_objectives;
  std::vector<std::int64_t> image_shape;  ///< C, H, W
  std::size_t num_classes;
  std::function<void(const Random&, std::span<float>)> initialize;
  /// Log-probabilities [N, classes] of each of `objectives`, in their order; must not use the other heads.
  std::function<std::vector<at::Tensor>(const TorchCall&, std::span<const int> objectives)> forward;
};

}  // namespace paretofl
