#pragma once

#include <malloc.h>

#include <span>
#include <vector>

#include "tests/language/random_decoder.h"

namespace paretofl {

inline std::size_t heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// Whether heap_bytes knows of all memory, as it does not with a sanitizer's allocator.
inline bool heap_is_counted() {
  const std::size_t without = heap_bytes();
  const std::vector<char> million(1 << 20);
  return heap_bytes() >= without + million.size();
}

/// What a pass holds beyond its model when the losses are asked for: all that the backward passes need. LibTorch's memory is used again,
/// so that a pass which needs no more than one before it seems to hold little.
inline std::size_t bytes_held(const LanguageModelConfig& config, const ModelPlacement& placement,
                              std::span<const TokenSequence> sequences) {
  const auto model = random_causal_lm(config, Random({3}, "model"), {.rank = 2, .dropout = 0.3}, placement);
  const std::vector<float> adapter = random_adapter(*model);
  std::vector<float> gradient(adapter.size());
  const Random dropout({5}, "dropout");
  const std::size_t before = heap_bytes();
  std::size_t held = 0;
  model->jacobian(
      sequences, adapter, &dropout, [&](const CompletionTokens&, std::span<double>) { held = heap_bytes() - before; }, gradient);
  return held;
}

}  // namespace paretofl
