#include "paretofl/language/peft_adapter.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/text/safetensors.h"
#include "paretofl/text/stored_numbers.h"

namespace paretofl {
namespace {

using nlohmann::json;

double number(const json& options, const char* key, double absent, const std::string& name) {
  const auto found = options.find(key);
  if (found == options.end()) return absent;
  expect(found->is_number(), "{}: expected {} to be a number, found {}", name, key, found->dump());
  return found->get<double>();
}

// What changes the meaning of the tensors, where it is set to anything.
void refuse_variants(const json& options, const std::string& name) {
  for (const char* key : {"use_dora", "use_rslora", "lora_bias", "use_qalora", "rank_pattern", "alpha_pattern", "modules_to_save",
                          "layers_to_transform", "layers_pattern", "layer_replication", "exclude_modules", "target_parameters"}) {
    const json value = options.value(key, json());
    const bool set = !(value.is_null() || value == false || (value.is_structured() && value.empty()));
    expect(!set, "{}: expected an adapter without {}, found {}, which is not supported", name, key, value.dump());
  }
  const json bias = options.value("bias", json("none"));
  expect(bias == "none", "{}: expected bias to be none, found {}, which is not supported", name, bias.dump());
}

}  // namespace

LoraOptions parse_peft_options(const std::string& text, const std::string& name) {
  const json options = parse_json(text, name);
  expect(options.is_object(), "{}: expected a JSON object, found {}", name, options.type_name());
  const json kind = options.value("peft_type", json());
  expect(kind == "LORA", "{}: expected peft_type to be LORA, found {}", name, kind.dump());
  refuse_variants(options, name);
  const double rank = number(options, "r", 8, name);
  constexpr double kMaxRank = 1 << 16;
  expect(rank >= 1 && rank <= kMaxRank && rank == static_cast<double>(static_cast<std::int64_t>(rank)),
         "{}: expected r to be an integer from 1 to {}, found {}", name, kMaxRank, rank);
  LoraOptions lora{.rank = static_cast<std::int64_t>(rank),
                   .alpha = number(options, "lora_alpha", 8, name),
                   .dropout = number(options, "lora_dropout", 0, name),
                   .projections = {}};
  expect(lora.dropout >= 0 && lora.dropout < 1, "{}: expected lora_dropout in [0, 1), found {}", name, lora.dropout);
  const json modules = options.value("target_modules", json());
  expect(modules.is_array() && !modules.empty(), "{}: expected target_modules to be a list of projections, found {}", name, modules.dump());
  for (const json& module : modules) {
    expect(module.is_string(), "{}: expected target_modules to hold names, found {}", name, module.dump());
    lora.projections.push_back(module.get<std::string>());
  }
  return lora;
}

LoraOptions read_peft_options(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "adapter_config.json";
  std::error_code failure;
  expect(std::filesystem::exists(path, failure), "{}: expected an adapter's adapter_config.json, found none", folder.string());
  return parse_peft_options(read_file(path), path.string());
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
  const json options = {{"peft_type", "LORA"},
                        {"task_type", "CAUSAL_LM"},
                        {"base_model_name_or_path", base},
                        {"r", lora.rank},
                        {"lora_alpha", lora.alpha},
                        {"lora_dropout", lora.dropout},
                        {"target_modules", lora.projections},
                        {"bias", "none"},
                        {"fan_in_fan_out", model_type == "gpt2"},
                        {"inference_mode", true},
                        {"init_lora_weights", true},
                        {"modules_to_save", nullptr},
                        {"use_dora", false},
                        {"use_rslora", false}};
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const Slice& slice : layout.slices()) {
    tensors[slice.name] = {
        .type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(adapter.subspan(slice.range.begin, slice.range.size()))};
  }
  write_safetensors(folder / "adapter_model.safetensors", tensors);
  write_whole_file(folder / "adapter_config.json", options.dump(2) + "\n");
}

}  // namespace paretofl
