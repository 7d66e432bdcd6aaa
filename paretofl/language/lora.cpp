#include "paretofl/language/lora.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/model_files/decoder_slices.h"

namespace paretofl {
namespace {

bool matches(const std::string& module, const std::string& name) { return module == name || module.ends_with("." + name); }

}  // namespace

LoraPlaces lora_places(const LanguageModelConfig& config, const LoraOptions& lora) {
  const std::vector<DecoderProjection> projections = decoder_projections(config);
  LoraPlaces places{.first = std::vector<int>(projections.size(), -1)};
  if (lora.rank == 0) return places;
  for (const std::string& name : lora.projections) {
    expect(std::any_of(projections.begin(), projections.end(), [&](const DecoderProjection& p) { return matches(p.module, name); }),
           "LoRA: expected projections of {}, such as {}, found '{}'", config.model_type, projections.front().module, name);
  }
  for (std::size_t p = 0; p < projections.size(); ++p) {
    const auto& names = lora.projections;
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return matches(projections[p].module, name); })) continue;
    places.first[p] = places.per_layer;
    places.per_layer += 2;
  }
  return places;
}

std::shared_ptr<const Layout> lora_layout(const LanguageModelConfig& config, const LoraOptions& lora) {
  constexpr std::int64_t kMaxRank = 1 << 16;
  expect(lora.rank >= 0 && lora.rank <= kMaxRank, "LoRA: expected a rank from 0 to {}, found {}", kMaxRank, lora.rank);
  expect(std::isfinite(lora.alpha), "LoRA: expected a finite alpha, found {}", lora.alpha);
  expect(lora.dropout >= 0 && lora.dropout < 1, "LoRA: expected a dropout probability in [0, 1), found {}", lora.dropout);
  const std::vector<DecoderProjection> projections = decoder_projections(config);
  const LoraPlaces places = lora_places(config, lora);
  std::vector<Slice> slices;
  for (std::int64_t layer = 0; layer < config.num_hidden_layers && places.per_layer > 0; ++layer) {
    for (std::size_t p = 0; p < projections.size(); ++p) {
      if (places.first[p] < 0) continue;
      const std::string name = "base_model.model." + decoder_layer_prefix(config) + std::to_string(layer) + "." + projections[p].module;
      slices.push_back({.name = name + ".lora_A.weight", .shape = {lora.rank, projections[p].in}, .range = {}});
      slices.push_back({.name = name + ".lora_B.weight", .shape = {projections[p].out, lora.rank}, .range = {}});
    }
  }
  return std::make_shared<Layout>(std::move(slices));
}

void initialize_lora(const Layout& layout, const Random& random, std::span<float> adapter) {
  expect(adapter.size() == layout.size(), "LoRA: expected an adapter of {} numbers, found {}", layout.size(), adapter.size());
  for (const Slice& slice : layout.slices()) {
    const auto values = adapter.subspan(slice.range.begin, slice.range.size());
    std::fill(values.begin(), values.end(), 0.0F);
    if (!slice.name.ends_with(".lora_A.weight")) continue;
    Random stream = random.substream(slice.name);
    const double bound = 1 / std::sqrt(static_cast<double>(slice.shape.back()));
    for (float& value : values) value = static_cast<float>(stream.uniform(-bound, bound));
  }
}

}  // namespace paretofl
