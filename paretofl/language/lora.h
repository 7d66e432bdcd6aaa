#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

inline constexpr std::int64_t kMaxLoraRank = 1 << 16;

/// Finite as a float, as which adapters are scaled.
inline bool is_lora_alpha(double number) { return std::abs(number) <= std::numeric_limits<float>::max(); }

/// An adapter's pair of matrices for one projection of one layer.
struct LoraPlace {
  int slice = -1;         ///< of the layout that holds A, with B behind it; -1: the projection has none
  std::int64_t rank = 0;  ///< of the pair
  double scale = 0;       ///< the pair's product is added that many times
};

/// [layers][projections], the latter as in decoder_projections. Throws Error on a name or pattern that none of the decoder's projections
/// has, and on what lora_layout throws on.
std::vector<std::vector<LoraPlace>> lora_places(const LanguageModelConfig& config, const LoraOptions& lora);

/// The slices of an adapter, by layer, then projection, then A [rank, in] and B [out, rank], under the names that PEFT
/// gives them. No slices where the rank is 0. Throws Error on impossible options.
std::shared_ptr<const Layout> lora_layout(const LanguageModelConfig& config, const LoraOptions& lora);

/// Kaiming-uniform A with a = sqrt(5), which is U(-b, b), b = 1 / sqrt(in), and B zero (PEFT's default). Each slice has a
/// substream of its own, named like the slice.
void initialize_lora(const Layout& layout, const Random& random, std::span<float> adapter);

}  // namespace paretofl
