#pragma once

#include <cstddef>
#include <string_view>

namespace paretofl {

/// The loss that a head's outputs are trained on. Every loss is a mean over the minibatch.
enum class Loss {
  kNll,            ///< log-softmax over the outputs, negative log-likelihood of the label
  kL2,             ///< mean over the outputs of (softmax probability - one-hot label)^2
  kBinary,         ///< sigmoid of each output, mean over the outputs of the binary cross-entropy; labels are bits
  kSquaredError,   ///< (output - target)^2 of the only output
  kAbsoluteError,  ///< |output - target| of the only output
  kQuantile,       ///< with r = target - output of the only output: level * r, or (level - 1) * r where r is negative
};

std::string_view to_text(Loss loss);

/// The last layers of a model, which belong to one objective.
struct Head {
  std::size_t outputs = 10;  ///< classes, or binary attributes (at most 8: a label is a byte)
  Loss loss = Loss::kNll;
  double level = 0.5;  ///< of kQuantile, between 0 and 1

  /// Labels, where it has_labels(), are the numbers below this: classes, or attributes as bits with the first one least significant.
  std::size_t label_values() const { return loss == Loss::kBinary ? std::size_t{1} << outputs : outputs; }
  /// Whether the loss reads labels; else it reads targets.
  bool has_labels() const { return loss == Loss::kNll || loss == Loss::kL2 || loss == Loss::kBinary; }
  bool operator==(const Head&) const = default;
};

}  // namespace paretofl
