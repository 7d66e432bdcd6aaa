#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// Fully connected layers with ReLU between them, the last one linear or with tanh.
struct DenseShape {
  std::vector<std::size_t> widths;  ///< inputs, hidden layers, outputs; at least two, all positive
  bool tanh_output = false;

  std::size_t inputs() const { return widths.front(); }
  std::size_t outputs() const { return widths.back(); }
  std::size_t num_parameters() const;
};

/// The slices "<name>.<layer>.weight" [out, in] and "<name>.<layer>.bias" [out], in the order of the layers.
std::vector<Slice> dense_slices(const DenseShape& shape, const std::string& name);

/// The passes of a small network as plain matrix products, for learners whose batches are too small for the dispatch of
/// an autograd library. theta [d] has the layout of dense_slices, batches are row-major. Activations are stored with the batch
/// dimension innermost, so that every pass is one product without repacking (panel_product.h). Owns the last forward activations:
/// one thread at a time. Nothing is allocated per call once the largest batch has been seen.
class DenseNet {
 public:
  /// Throws Error on a shape of fewer than two widths or with a zero among them.
  explicit DenseNet(DenseShape shape);

  const DenseShape& shape() const { return shape_; }

  // Every pass throws Error where sizes are not those of the shape.

  /// inputs [n, in], n at least 1 -> outputs [n, out], valid until the next pass.
  std::span<const float> forward(std::span<const float> theta, std::span<const float> inputs, std::size_t n);

  /// One input [in] -> outputs [out], valid until the next pass; backward() stays with the last forward(). Sums are grouped
  /// in another way than a batch's, and round differently.
  std::span<const float> forward_one(std::span<const float> theta, std::span<const float> input);

  /// Of the last forward(), with its theta: from the gradient with respect to the outputs [n, out] the one with respect to
  /// theta [d], summed over the rows. Throws Error before any forward(). Writes the one with respect to the inputs [n, in] too where there
  /// is room for it; an empty `gradient` skips theta's. Units that no sample activates have no gradient and are left out of the
  /// products, whose sums they would not change: zeros times finite parameters.
  void backward(std::span<const float> theta, std::span<const float> output_gradient, std::span<float> gradient,
                std::span<float> input_gradient = {});

 private:
  // Moves the rows of gradient_ [out, registers] that are not all zeros to its beginning, copies their rows of the weight [out, in] to
  // kept_weight_, and writes their numbers to kept_. Returns how many there are; with nearly all rows, keeps every one where it is.
  std::size_t keep_rows_with_gradient(std::span<const float> weight, std::size_t out);

  DenseShape shape_;
  std::size_t rows_ = 0;                         // n of the last forward pass
  std::size_t registers_ = 0;                    // that hold n numbers
  std::vector<std::vector<Lanes>> activations_;  // inputs, then every layer's output [width, registers], what inputs of zero give beyond n
  std::vector<float> outputs_;                   // [n, out]
  std::vector<float> one_;                       // forward_one's inputs of a layer
  std::vector<Lanes> gradient_;                  // with respect to a layer's output before its activation, [width, registers]
  std::vector<Lanes> next_gradient_;             // the same, of the layer before
  std::vector<Lanes> by_row_;                    // a layer's inputs, [n, width] in whole registers
  std::vector<std::size_t> kept_;                // a layer's outputs that take part in backward()
  std::vector<float> kept_weight_;               // their rows of its weight
  std::vector<float> kept_gradient_;             // their rows of its weight's gradient
};

}  // namespace paretofl
