#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "paretofl/language/causal_lm.h"
#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/packed_attention_torch.h"

namespace paretofl {

/// Prompts with their completions as a decoder takes them: N tokens one after the other without padding, and which of them the K tokens of
/// the completions are predicted from.
struct CompletionBatch {
  PackedAttention attention;
  DecoderInput input;
  at::Tensor targets;  ///< [K] the completions' tokens
  at::Tensor sources;  ///< [K] which of the selected hidden states each is predicted from; undefined: one each, in order

  /// Hidden states [K, H], one for each target, of those [n, H] that were selected.
  at::Tensor by_target(const at::Tensor& selected) const { return sources.defined() ? selected.index_select(0, sources) : selected; }
};

/// With `shared_prompts` the tokens of equal prompts are there once, and the sequences' tokens see them as if each had its own. LongRoPE
/// keeps those of sequences within its original length apart from those beyond it. Throws Error where there is no sequence, or no prompt.
CompletionBatch completion_batch(std::span<const TokenSequence> sequences, const LanguageModelConfig& config, bool shared_prompts,
                                 const at::Device& device);

}  // namespace paretofl
