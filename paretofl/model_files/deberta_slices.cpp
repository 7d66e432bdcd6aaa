#include "paretofl/model_files/deberta_slices.h"

namespace paretofl {

std::vector<Slice> deberta_slices(const LanguageModelConfig& config) {
  const std::int64_t width = config.hidden_size, inner = config.intermediate_size;
  std::vector<Slice> slices;
  const auto add = [&slices](std::string name, std::vector<std::int64_t> shape) {
    slices.push_back({.name = std::move(name), .shape = std::move(shape), .range = {}});
  };
  const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in) {
    add(name + ".weight", {out, in});
    add(name + ".bias", {out});
  };
  const auto norm = [&](const std::string& name) {
    add(name + ".weight", {width});
    add(name + ".bias", {width});
  };
  add("deberta.embeddings.word_embeddings.weight", {config.vocab_size, width});
  norm("deberta.embeddings.LayerNorm");
  add("deberta.encoder.rel_embeddings.weight", {2 * config.position_buckets, width});
  norm("deberta.encoder.LayerNorm");
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    const std::string prefix = "deberta.encoder.layer." + std::to_string(layer) + ".";
    for (const char* name :
         {"attention.self.query_proj", "attention.self.key_proj", "attention.self.value_proj", "attention.output.dense"}) {
      linear(prefix + name, width, width);
    }
    norm(prefix + "attention.output.LayerNorm");
    linear(prefix + "intermediate.dense", inner, width);
    linear(prefix + "output.dense", width, inner);
    norm(prefix + "output.LayerNorm");
  }
  linear("pooler.dense", width, width);
  linear("classifier", 1, width);
  return slices;
}

}  // namespace paretofl
