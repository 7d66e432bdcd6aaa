#include "paretofl/language/lora.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/text/regex.h"

namespace paretofl {
namespace {

bool ends_with_name(const std::string& module, const std::string& name) { return module == name || module.ends_with("." + name); }

// Matches whole names of modules with a checked pattern.
class ModuleRegex {
 public:
  ModuleRegex(const std::string& before, const std::string& pattern, const std::string& what)
      : regex_("\\A" + before + "(?:" + pattern + ")\\z", what) {}

  bool matches(const std::string& module) const { return !regex_.matches(module).empty(); }

 private:
  Regex regex_;
};

// Which modules an adapter is on.
class LoraTargets {
 public:
  explicit LoraTargets(const LoraOptions& lora) : names_(lora.projections), found_(names_.size()) {
    if (!lora.projection_pattern.empty()) pattern_.emplace("", lora.projection_pattern, "LoRA: target_modules");
    all_ = names_.size() == 1 && names_.front() == "all-linear";
  }

  bool contains(const std::string& module) {
    if (pattern_) return pattern_->matches(module);
    bool any = all_;
    for (std::size_t n = 0; n < names_.size() && !all_; ++n) {
      if (!ends_with_name(module, names_[n])) continue;
      found_[n] = any = true;
    }
    return any;
  }

  // A name that no module had so far.
  const std::string* missing() const {
    if (pattern_ || all_) return nullptr;
    const auto first = std::find(found_.begin(), found_.end(), false);
    return first == found_.end() ? nullptr : &names_[static_cast<std::size_t>(first - found_.begin())];
  }

 private:
  const std::vector<std::string>& names_;
  std::vector<bool> found_;
  std::optional<ModuleRegex> pattern_;
  bool all_ = false;
};

// Ranks or alphas of modules.
template <class Number>
class ModuleNumbers {
 public:
  ModuleNumbers(const std::vector<std::pair<std::string, Number>>& patterns, Number other, const char* what) : other_(other) {
    for (const auto& pattern : patterns) {
      patterns_.emplace_back(ModuleRegex("(?:.*\\.)?", pattern.first, what), pattern.second);
    }
  }

  Number of(const std::string& module) const {
    for (const auto& pattern : patterns_) {
      if (pattern.first.matches(module)) return pattern.second;
    }
    return other_;
  }

 private:
  std::vector<std::pair<ModuleRegex, Number>> patterns_;
  Number other_;
};

std::string layer_module(const LanguageModelConfig& config, std::int64_t layer, const DecoderProjection& projection) {
  return decoder_layer_prefix(config) + std::to_string(layer) + "." + projection.module;
}

void check_lora(const LoraOptions& lora) {
  const auto rank = [](std::int64_t found, std::int64_t low) {
    expect(found >= low && found <= kMaxLoraRank, "LoRA: expected a rank from {} to {}, found {}", low, kMaxLoraRank, found);
  };
  const auto alpha = [](double found) { expect(is_lora_alpha(found), "LoRA: expected an alpha that float32 holds, found {}", found); };
  rank(lora.rank, 0);
  alpha(lora.alpha);
  for (const auto& pattern : lora.rank_pattern) rank(pattern.second, 1);
  for (const auto& pattern : lora.alpha_pattern) alpha(pattern.second);
  expect(lora.dropout >= 0 && lora.dropout < 1, "LoRA: expected a dropout probability in [0, 1), found {}", lora.dropout);
}

}  // namespace

std::vector<std::vector<LoraPlace>> lora_places(const LanguageModelConfig& config, const LoraOptions& lora) {
  check_lora(lora);
  const std::vector<DecoderProjection> projections = decoder_projections(config);
  const auto layers = static_cast<std::size_t>(config.num_hidden_layers);
  std::vector<std::vector<LoraPlace>> places(layers, std::vector<LoraPlace>(projections.size()));
  if (lora.rank == 0) return places;
  LoraTargets targets(lora);
  const ModuleNumbers<std::int64_t> ranks(lora.rank_pattern, lora.rank, "LoRA: rank_pattern");
  const ModuleNumbers<double> alphas(lora.alpha_pattern, lora.alpha, "LoRA: alpha_pattern");
  int next = 0;
  for (std::size_t l = 0; l < layers; ++l) {
    for (std::size_t p = 0; p < projections.size(); ++p) {
      const std::string module = layer_module(config, static_cast<std::int64_t>(l), projections[p]);
      if (!targets.contains(module)) continue;
      const std::int64_t rank = ranks.of(module);
      const auto divisor = static_cast<double>(rank);
      places[l][p] = {.slice = next, .rank = rank, .scale = alphas.of(module) / (lora.rank_stabilized ? std::sqrt(divisor) : divisor)};
      next += 2;
    }
  }
  const std::string* missing = targets.missing();
  expect(missing == nullptr, "LoRA: expected projections of {}, such as {}, found '{}'", config.model_type, projections.front().module,
         missing == nullptr ? "" : *missing);
  expect(next > 0 || lora.projection_pattern.empty(), "LoRA: expected a pattern of projections of {}, such as {}, found '{}'",
         config.model_type, layer_module(config, 0, projections.front()), lora.projection_pattern);
  return places;
}

std::shared_ptr<const Layout> lora_layout(const LanguageModelConfig& config, const LoraOptions& lora) {
  const std::vector<DecoderProjection> projections = decoder_projections(config);
  const std::vector<std::vector<LoraPlace>> places = lora_places(config, lora);
  std::vector<Slice> slices;
  for (std::size_t l = 0; l < places.size(); ++l) {
    for (std::size_t p = 0; p < projections.size(); ++p) {
      const LoraPlace& place = places[l][p];
      if (place.slice < 0) continue;
      const std::string name = "base_model.model." + layer_module(config, static_cast<std::int64_t>(l), projections[p]);
      slices.push_back({.name = name + ".lora_A.weight", .shape = {place.rank, projections[p].in}, .range = {}});
      slices.push_back({.name = name + ".lora_B.weight", .shape = {projections[p].out, place.rank}, .range = {}});
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
