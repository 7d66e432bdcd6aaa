#include "paretofl/language/new_decoder.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

void NewDecoderOptions::describe(OptionVisitor& visit) {
  visit.integer("hidden_size", hidden_size, 1, kMaxInt, "width of the hidden states");
  visit.integer("intermediate_size", intermediate_size, 1, kMaxInt, "width of the feed-forward blocks");
  visit.integer("layers", layers, 1, kMaxInt, "number of layers");
  visit.integer("heads", heads, 1, kMaxInt, "number of attention heads, a divisor of the hidden size");
  visit.integer("key_value_heads", key_value_heads, 1, kMaxInt, "number of heads of keys and values, a divisor of the attention heads");
  visit.integer("positions", positions, 2, kMaxInt, "longest sequence");
  visit.boolean("tied", tied, "use the embeddings as the language head");
}

LanguageModelConfig new_decoder_config(const NewDecoderOptions& options, const Tokenizer& tokenizer) {
  expect(options.hidden_size % (2 * options.heads) == 0,
         "model: expected heads of an even size that divide the hidden size {}, found {} heads", options.hidden_size, options.heads);
  expect(options.heads % options.key_value_heads == 0, "model: expected key_value_heads that divide the {} heads, found {}", options.heads,
         options.key_value_heads);
  LanguageModelConfig config;
  config.vocab_size = static_cast<std::int64_t>(tokenizer.vocabulary_size());
  config.hidden_size = options.hidden_size;
  config.intermediate_size = options.intermediate_size;
  config.num_hidden_layers = options.layers;
  config.num_attention_heads = options.heads;
  config.num_key_value_heads = options.key_value_heads;
  config.head_dim = options.hidden_size / options.heads;
  config.max_position_embeddings = options.positions;
  config.tie_word_embeddings = options.tied;
  take_special_tokens(config, tokenizer);
  return config;
}

void take_special_tokens(LanguageModelConfig& config, const Tokenizer& tokenizer) {
  if (const auto beginning = tokenizer.beginning_of_sequence()) config.bos_token_id = beginning;
  if (const auto padding = tokenizer.id_of("<pad>")) config.pad_token_id = padding;
  const auto end = tokenizer.end_of_sequence();
  std::vector<TokenId>& ends = config.eos_token_ids;
  if (end && std::find(ends.begin(), ends.end(), *end) == ends.end()) ends = {*end};
}

}  // namespace paretofl
