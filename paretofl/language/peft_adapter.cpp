#include "paretofl/language/peft_adapter.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/language/lora.h"
#include "paretofl/model_files/config_keys.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/model_files/stored_numbers.h"
#include "paretofl/text/module_pattern.h"

namespace paretofl {
namespace {

using nlohmann::json;

constexpr const char* kAllLinear = "all-linear";

// What changes nothing that the tensors mean, whatever the value: where an adapter comes from, and settings that count only
// beside others, which are refused. PEFT itself turns fan_in_fan_out to what the base model's layers are.
constexpr std::array<std::string_view, 13> kHarmless = {
    "auto_mapping",   "base_model_name_or_path", "corda_config", "eva_config",        "fan_in_fan_out", "inference_mode", "loftq_config",
    "lora_ga_config", "megatron_core",           "peft_version", "qalora_group_size", "revision",       "runtime_config"};

// Ways to draw a fresh adapter that leave the base model as it is; the others (such as pissa, olora, corda, loftq and mica)
// change it when the adapter is loaded.
void need_plain_start(const ConfigKeys& keys) {
  const json* start = keys.find("init_lora_weights");
  const bool plain = start == nullptr || start->is_boolean() || *start == "gaussian" || *start == "orthogonal" || *start == "eva";
  expect(plain, "{}: expected init_lora_weights to be true, false, gaussian, orthogonal or eva, found {}, which is not supported",
         keys.name(), start == nullptr ? "" : start->dump());
}

// A list of names, a regular expression, or "all-linear".
void read_targets(const ConfigKeys& keys, LoraOptions& lora) {
  const json& modules = keys.at("target_modules");
  if (modules.is_string()) {
    const auto pattern = modules.get<std::string>();
    if (lower_case(pattern) == kAllLinear) {
      lora.projections = {kAllLinear};
      return;
    }
    expect(!pattern.empty(), "{}: expected target_modules to be names or a regular expression, found an empty text", keys.name());
    check_module_pattern(pattern, keys.name() + ": target_modules");
    lora.projection_pattern = pattern;
    return;
  }
  expect(modules.is_array() && !modules.empty(),
         "{}: expected target_modules to be a list of projections, a regular expression or \"all-linear\", found {}", keys.name(),
         modules.dump());
  for (const json& module : modules) {
    expect(module.is_string(), "{}: expected target_modules to hold names, found {}", keys.name(), module.dump());
    // In a list PEFT takes it for the name of a module.
    expect(module != kAllLinear, "{}: expected target_modules to be \"all-linear\" itself where all projections are meant, found it in {}",
           keys.name(), modules.dump());
    lora.projections.push_back(module.get<std::string>());
  }
}

// Numbers of the modules that regular expressions name; `fits` says which numbers there may be.
template <class Number, class Fits>
std::vector<std::pair<std::string, Number>> read_pattern(const ConfigKeys& keys, const nlohmann::ordered_json& ordered, const char* key,
                                                         const Fits& fits) {
  std::vector<std::pair<std::string, Number>> pattern;
  const json* found = keys.find(key);
  if (found == nullptr) return pattern;
  expect(found->is_object(), "{}: expected {} to be an object of numbers by modules, found {}", keys.name(), key,
         found->dump(-1, ' ', true));
  for (const auto& entry : ordered[key].items()) {
    expect(fits(entry.value()), "{}: expected {} to hold numbers for adapters, found {}", keys.name(), key,
           entry.value().dump(-1, ' ', true));
    check_module_pattern(entry.key(), keys.name() + ": " + key);
    pattern.emplace_back(entry.key(), entry.value().template get<Number>());
  }
  return pattern;
}

nlohmann::ordered_json target_modules(const LoraOptions& lora) {
  if (!lora.projection_pattern.empty()) return lora.projection_pattern;
  if (lora.projections == std::vector<std::string>{kAllLinear}) return lora.projections.front();
  return lora.projections;
}

template <class Number>
nlohmann::ordered_json pattern_keys(const std::vector<std::pair<std::string, Number>>& pattern) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::object();
  for (const auto& entry : pattern) keys[entry.first] = entry.second;
  return keys;
}

std::filesystem::path config_of(const std::filesystem::path& folder) {
  std::filesystem::path path = folder / "adapter_config.json";
  std::error_code failure;
  expect(std::filesystem::exists(path, failure), "{}: expected an adapter's adapter_config.json, found none", folder.string());
  return path;
}

}  // namespace

LoraOptions parse_peft_options(const std::string& text, const std::string& name) {
  const json options = parse_json(text, name);
  const ConfigKeys keys(options, name);
  const std::string type = keys.text("peft_type");
  expect(type == "LORA", "{}: expected peft_type to be LORA, found {}", name, json(type).dump(-1, ' ', true));
  keys.need_text("task_type", "CAUSAL_LM");
  keys.need_text("bias", "none");
  need_plain_start(keys);
  constexpr std::int64_t kDefault = 8;  // PEFT's
  LoraOptions lora{.rank = keys.find("r") == nullptr ? kDefault : keys.integer("r", 1, kMaxLoraRank),
                   .alpha = keys.number_or("lora_alpha", kDefault),
                   .dropout = keys.number_or("lora_dropout", 0),
                   .projections = {}};
  expect(is_lora_alpha(lora.alpha), "{}: expected a lora_alpha that float32 holds, found {}", name, lora.alpha);
  expect(lora.dropout >= 0 && lora.dropout < 1, "{}: expected lora_dropout in [0, 1), found {}", name, lora.dropout);
  read_targets(keys, lora);
  lora.rank_stabilized = keys.flag_or("use_rslora", false);
  // Their order counts.
  const auto ordered = nlohmann::ordered_json::parse(text);
  lora.rank_pattern = read_pattern<std::int64_t>(
      keys, ordered, "rank_pattern", [](const auto& value) { return value.is_number_integer() && value >= 1 && value <= kMaxLoraRank; });
  lora.alpha_pattern = read_pattern<double>(
      keys, ordered, "alpha_pattern", [](const auto& value) { return value.is_number() && is_lora_alpha(value.template get<double>()); });
  keys.refuse_others(kHarmless);
  return lora;
}

LoraOptions read_peft_options(const std::filesystem::path& folder) {
  const std::filesystem::path path = config_of(folder);
  const std::string text = read_file(path);
  DataLedger::note(path, std::as_bytes(std::span(text)));
  return parse_peft_options(text, path.string());
}

std::filesystem::path read_peft_base(const std::filesystem::path& folder) {
  const std::filesystem::path path = config_of(folder);
  const json options = parse_json(read_file(path), path.string());
  const json* named = options.is_object() && options.contains("base_model_name_or_path") ? &options["base_model_name_or_path"] : nullptr;
  const std::string base = named != nullptr && named->is_string() ? named->get<std::string>() : "";
  std::error_code failure;
  for (const std::filesystem::path& place : {folder / base, std::filesystem::path(base)}) {
    if (!base.empty() && std::filesystem::is_directory(place, failure)) return place;
  }
  throw Error(fmt::format("{}: expected the folder of the base model at base_model_name_or_path, found '{}'; --model names another one",
                          path.string(), base));
}

std::vector<float> read_peft_adapter(const std::filesystem::path& folder, const Layout& layout) {
  const std::filesystem::path path = folder / "adapter_model.safetensors";
  const Safetensors file(path);
  for (const auto& stored : file.tensors()) {
    const std::string& name = stored.first;
    expect(std::any_of(layout.slices().begin(), layout.slices().end(), [&](const Slice& slice) { return slice.name == name; }),
           "{}: expected tensors of the projections that the model adapts, such as {}, found '{}'", path.string(),
           layout.slices().empty() ? "none" : layout.slices().front().name, name);
  }
  std::vector<float> adapter(layout.size());
  for (const Slice& slice : layout.slices()) {
    const StoredTensor& stored = file.tensor(slice.name);
    expect(stored.shape == slice.shape, "{}: {}: expected the shape [{}], found [{}]", path.string(), slice.name,
           fmt::join(slice.shape, ", "), fmt::join(stored.shape, ", "));
    const std::vector<float> values = to_float32(stored, slice.name);
    std::copy(values.begin(), values.end(), adapter.begin() + static_cast<std::ptrdiff_t>(slice.range.begin));
  }
  return adapter;
}

void write_peft_adapter(const std::filesystem::path& folder, const Layout& layout, const LoraOptions& lora, std::span<const float> adapter,
                        const std::string& model_type, const std::string& base) {
  expect(adapter.size() == layout.size(), "adapter: expected {} numbers, found {}", layout.size(), adapter.size());
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  expect(!failure, "{}: expected a folder that can be made, found: {}", folder.string(), failure.message());
  const nlohmann::ordered_json options = {{"peft_type", "LORA"},
                                          {"task_type", "CAUSAL_LM"},
                                          {"base_model_name_or_path", base},
                                          {"r", lora.rank},
                                          {"lora_alpha", lora.alpha},
                                          {"lora_dropout", lora.dropout},
                                          {"target_modules", target_modules(lora)},
                                          {"rank_pattern", pattern_keys(lora.rank_pattern)},
                                          {"alpha_pattern", pattern_keys(lora.alpha_pattern)},
                                          {"bias", "none"},
                                          {"fan_in_fan_out", model_type == "gpt2"},
                                          {"inference_mode", true},
                                          {"init_lora_weights", true},
                                          {"modules_to_save", nullptr},
                                          {"use_dora", false},
                                          {"use_rslora", lora.rank_stabilized}};
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const Slice& slice : layout.slices()) {
    tensors[slice.name] = {
        .type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(adapter.subspan(slice.range.begin, slice.range.size()))};
  }
  write_safetensors(folder / "adapter_model.safetensors", tensors);
  write_whole_file(folder / "adapter_config.json", options.dump(2) + "\n");
}

}  // namespace paretofl
