#pragma once

#include "paretofl/model_files/language_model_config.h"
#include "paretofl/registry/options.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// The shape of a model of the Llama family that is trained from random parameters.
struct NewDecoderOptions {
  std::int64_t hidden_size = 128;
  std::int64_t intermediate_size = 344;
  std::int64_t layers = 4;
  std::int64_t heads = 4;
  std::int64_t key_value_heads = 4;
  std::int64_t positions = 512;
  bool tied = true;

  void describe(OptionVisitor& visit);
};

/// Its config with the tokenizer's vocabulary and special tokens ("<pad>" is the padding). Throws Error on heads that do not
/// divide the hidden size.
LanguageModelConfig new_decoder_config(const NewDecoderOptions& options, const Tokenizer& tokenizer);

/// Gives a model that is trained on with another vocabulary the ids of its beginning and end of sequence and its padding, where it has
/// them.
void take_special_tokens(LanguageModelConfig& config, const Tokenizer& tokenizer);

}  // namespace paretofl
