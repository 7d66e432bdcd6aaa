#include "paretofl/model_files/stored_head.h"

#include <algorithm>

#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/stored_numbers.h"
#include "paretofl/model_files/stored_tensor.h"

namespace paretofl {
namespace {

bool same_numbers(const StoredTensor& a, const StoredTensor& b) {
  if (a.shape != b.shape) return false;
  if (a.type == b.type && std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end())) return true;
  return to_float32(a, "embeddings") == to_float32(b, "lm_head.weight");
}

}  // namespace

LanguageModelConfig with_stored_head(LanguageModelConfig config, const std::filesystem::path& folder) {
  if (!config.tie_word_embeddings) return config;
  const SafetensorsFolder files(folder);
  if (!files.contains("lm_head.weight")) return config;
  const StoredTensor& embeddings = stored_tensor(files, decoder_slices(config).front().name);
  config.tie_word_embeddings = same_numbers(embeddings, files.tensor("lm_head.weight"));
  return config;
}

}  // namespace paretofl
