#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/models/model.h"

namespace paretofl {

/// N samples of normal noise with random labels for the heads that read them, and with normal targets for the others.
class RandomBatch {
 public:
  RandomBatch(std::size_t size, const std::vector<Head>& heads, std::size_t inputs = 784, std::uint64_t seed = 1)
      : size_(size), inputs_(size * inputs) {
    Random random({.seed = seed}, "batch");
    for (float& x : inputs_) x = static_cast<float>(random.normal());
    const auto labelled = static_cast<std::size_t>(std::count_if(heads.begin(), heads.end(), [](const Head& h) { return h.has_labels(); }));
    const bool mixed = labelled > 0 && labelled < heads.size();  // then both lists are [M, N]
    for (const Head& head : heads) {
      for (std::size_t n = 0; n < size; ++n) {
        if (head.has_labels() || mixed)
          labels_.push_back(head.has_labels() ? static_cast<std::uint8_t>(random.below(head.label_values())) : 0);
        if (!head.has_labels() || mixed) targets_.push_back(head.has_labels() ? 0 : static_cast<float>(random.normal()));
      }
    }
  }

  Batch view() const { return {.size = size_, .inputs = inputs_, .labels = labels_, .targets = targets_}; }
  std::vector<float>& inputs() { return inputs_; }
  std::vector<std::uint8_t>& labels() { return labels_; }
  std::vector<float>& targets() { return targets_; }

 private:
  std::size_t size_;
  std::vector<float> inputs_;
  std::vector<std::uint8_t> labels_;
  std::vector<float> targets_;
};

inline std::vector<float> initial_parameters(const Model& model, std::uint64_t seed = 2) {
  std::vector<float> parameters(model.layout()->size());
  model.initialize(Random({.seed = seed}, "initialize"), parameters);
  return parameters;
}

inline Random dropout_stream() { return Random({.seed = 3}, "dropout"); }

}  // namespace paretofl
