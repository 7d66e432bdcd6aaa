#include "paretofl/language/model_folder.h"

#include "paretofl/core/error.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

std::string architecture(const LanguageModelConfig& config, DecoderHead head) {
  static const std::map<std::string, std::string, std::less<>> kFamilies = {
      {"gpt2", "GPT2"},       {"llama", "Llama"}, {"qwen2", "Qwen2"}, {"qwen3", "Qwen3"},   {"mistral", "Mistral"},
      {"smollm3", "SmolLM3"}, {"phi3", "Phi3"},   {"gemma", "Gemma"}, {"gemma2", "Gemma2"}, {"gemma3_text", "Gemma3"}};
  const std::string& family = kFamilies.at(config.model_type);
  if (head == DecoderHead::kScore) return family + (family == "Gemma3" ? "Text" : "") + "ForSequenceClassification";
  return family + (family == "GPT2" ? "LMHeadModel" : "ForCausalLM");
}

void copy_one(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  if (fs::equivalent(from, to, failure)) return;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, failure);
  expect(!failure, "{}: expected to be copied to {}, found: {}", from.string(), to.string(), failure.message());
}

void copy_if_there(const fs::path& from, const fs::path& folder, const char* name) {
  if (fs::exists(from / name)) copy_one(from / name, folder / name);
}

}  // namespace

void write_decoder_folder(const TrainableDecoder& model, DecoderHead head, std::span<const float> theta, const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  expect(!failure, "{}: expected a folder that can be made, found: {}", folder.string(), failure.message());
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const Slice& slice : model.layout()->slices()) {
    const auto values = theta.subspan(slice.range.begin, slice.range.size());
    tensors.emplace(slice.name, StoredTensor{.type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(values)});
  }
  write_safetensors(folder / "model.safetensors", tensors);
  write_language_model_config(model.config(), architecture(model.config(), head), folder);
}

void copy_tokenizer(const fs::path& from, const fs::path& folder) {
  const bool whole = fs::is_directory(from);
  const fs::path beside = whole ? from : from.parent_path();
  if (!whole) {
    for (const auto& [name, content] : tokenizer_files(from)) write_whole_file(folder / name, content);
  }
  if (whole) {
    for (const char* name : {"tokenizer.json", "tokenizer.model", "vocab.json", "merges.txt"}) copy_if_there(beside, folder, name);
  }
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "chat_template.jinja"}) {
    copy_if_there(beside, folder, name);
  }
}

}  // namespace paretofl
