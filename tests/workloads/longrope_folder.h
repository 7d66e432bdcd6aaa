#pragma once

#include <filesystem>
#include <fstream>
#include <vector>

#include "paretofl/language/model_folder.h"
#include "paretofl/language/trainable_decoder.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "tests/images/idx_bytes.h"
#include "tests/language/random_decoder.h"

namespace paretofl {

/// A folder with a tiny language model that reads bytes, whose longrope has other frequencies beyond `original` positions.
inline std::filesystem::path longrope_folder(std::int64_t original) {
  LanguageModelConfig config = tiny_config("phi3");
  config.vocab_size = static_cast<std::int64_t>(ByteTokenizer::kVocabularySize);
  config.max_position_embeddings = 1024;
  config.bos_token_id = ByteTokenizer::kBeginning;
  config.eos_token_ids = {ByteTokenizer::kEnd};
  config.rope_scaling->original_max_position_embeddings = original;
  const auto decoder = make_trainable_decoder(config, DecoderHead::kLanguage);
  std::vector<float> parameters(decoder->layout()->size());
  decoder->initialize(Random({1}, "longrope"), parameters);
  const auto folder = empty_folder("longrope_model");
  write_decoder_folder(*decoder, DecoderHead::kLanguage, parameters, folder);
  std::ofstream(folder / "tokenizer.json") << ByteTokenizer::tokenizer_json();
  return folder;
}

}  // namespace paretofl
