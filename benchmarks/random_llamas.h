#pragma once

#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// A Llama without grouped heads, of 256 positions and with tied embeddings.
inline LanguageModelConfig llama(std::int64_t vocabulary, std::int64_t width, std::int64_t inner, std::int64_t layers, std::int64_t heads) {
  return {.model_type = "llama",
          .vocab_size = vocabulary,
          .hidden_size = width,
          .intermediate_size = inner,
          .num_hidden_layers = layers,
          .num_attention_heads = heads,
          .num_key_value_heads = heads,
          .head_dim = width / heads,
          .max_position_embeddings = 256,
          .rope_scaling = {},
          .tie_word_embeddings = true,
          .bos_token_id = {},
          .eos_token_ids = {},
          .pad_token_id = {}};
}

/// Of 2.0 million parameters.
inline LanguageModelConfig small() { return llama(2048, 160, 432, 5, 5); }

/// Of 110 million parameters.
inline LanguageModelConfig large() { return llama(32000, 768, 2048, 12, 12); }

/// `count` sequences of random tokens.
inline std::vector<TokenIds> random_sequences(const LanguageModelConfig& config, std::size_t count, std::size_t length) {
  Random random({1}, "prompts");
  std::vector<TokenIds> sequences(count, TokenIds(length));
  for (TokenIds& sequence : sequences) {
    for (TokenId& id : sequence) id = static_cast<TokenId>(random.below(static_cast<std::uint64_t>(config.vocab_size)));
  }
  return sequences;
}

}  // namespace paretofl
