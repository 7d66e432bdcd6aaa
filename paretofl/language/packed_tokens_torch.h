#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "paretofl/language/decoder_torch.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// n sequences of N tokens in all, one after the other without padding, on one device.
struct PackedTokens {
  std::vector<std::int64_t> lengths;  ///< [n]
  at::Tensor ids;                     ///< [N]
  at::Tensor positions;               ///< [N], from 0 in every sequence
  at::Tensor reach;                   ///< [N], the length of each token's sequence
  at::Tensor first;                   ///< [n], where each begins
  at::Tensor last;                    ///< [n], the last token of each that is not the config's padding, or its first
};

/// Throws Error on an empty sequence, one longer than the model's positions, or an id outside of its vocabulary.
PackedTokens pack(std::span<const TokenIds> sequences, const LanguageModelConfig& config, const at::Device& device);

/// A score per sequence [n]: `head` [1, H] of the hidden state of the last token that is no padding (LlamaForSequenceClassification and its
/// like).
at::Tensor decoder_scores(const Decoder& decoder, const at::Tensor& head, const PackedTokens& tokens);

}  // namespace paretofl
