#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// The slices of the layout that hold an adapter's pair of matrices for one projection of one layer.
struct LoraPlaces {
  std::vector<int> first;  ///< [projections], of decoder_projections: the place of A within a layer, B behind it; -1: none
  int per_layer = 0;       ///< slices of a layer
};

/// Throws Error on a projection that the decoder does not have; a name matches every module that ends with it, as in PEFT.
LoraPlaces lora_places(const LanguageModelConfig& config, const LoraOptions& lora);

/// The slices of an adapter, by layer, then projection, then A [rank, in] and B [out, rank], under the names that PEFT
/// gives them. No slices where the rank is 0. Throws Error on impossible options.
std::shared_ptr<const Layout> lora_layout(const LanguageModelConfig& config, const LoraOptions& lora);

/// Kaiming-uniform A with a = sqrt(5), which is U(-b, b), b = 1 / sqrt(in), and B zero (PEFT's default). Each slice has a
/// substream of its own, named like the slice.
void initialize_lora(const Layout& layout, const Random& random, std::span<float> adapter);

}  // namespace paretofl
