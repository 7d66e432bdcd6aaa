#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/local/gradient_oracle.h"
#include "paretofl/models/model.h"

namespace paretofl {

/// A model and the buffers of one batch: what one thread needs to train or evaluate.
struct Bench {
  std::unique_ptr<Model> model;
  std::vector<float> inputs;
  std::vector<std::uint8_t> labels;
  std::vector<float> targets;
};

/// Samples that a model can be given, by number. Immutable, and safe to share between threads.
class SampleSource {
 public:
  virtual ~SampleSource() = default;

  /// Fills the bench's buffers with the samples and returns them as a batch. In training `draw` says how they are
  /// augmented; null is evaluation.
  virtual Batch load(std::span<const std::uint32_t> samples, const Draw* draw, Bench& bench) const = 0;

  /// [M]: the share of these samples that have a label or target for each objective; empty where all samples have all of them.
  virtual std::vector<double> known_shares(std::span<const std::uint32_t> /*samples*/) const { return {}; }
};

}  // namespace paretofl
