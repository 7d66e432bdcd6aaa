#include "paretofl/tokenizers/tokenizer_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/vocabulary.h"

namespace paretofl {
namespace {

using nlohmann::json;

/// Keys that change neither ids nor texts, whatever their value.
constexpr std::array<std::string_view, 39> kHarmless = {
    // Where it comes from and who reads it.
    "_commit_hash", "auto_map", "backend", "device_map", "from_slow", "is_local", "local_files_only", "name_or_path", "processor_class",
    "special_tokens_map_file", "tokenizer_file", "tokenizer_type", "transformers_version", "trust_remote_code", "use_fast", "verbose",
    "vocab_type",
    // How lengths and rows are made equal.
    "max_len", "max_length", "model_input_names", "model_max_length", "pad_to_multiple_of", "pad_token_type_id", "padding", "padding_side",
    "stride", "truncation", "truncation_side", "truncation_strategy",
    // How dialogues are written and parsed, where chat_template says nothing; bytes that are not UTF-8; offsets.
    "chat_control_tokens", "errors", "response_schema", "response_template", "trim_offsets", "use_default_system_prompt",
    // What the reference library does not heed any more.
    "special_tokens", "spaces_between_special_tokens", "clean_up_tokenization_spaces_for_wordpiece", "vocab_size"};

/// In the order in which the reference library gives them ids.
constexpr std::array<const char*, 7> kNamed = {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

/// A token is written as its text or as an object with its `content`.
AddedToken parse_token(const json& value, const std::string& where, bool special) {
  if (value.is_string()) return {.content = value.get<std::string>(), .special = special, .named = special};
  expect(value.is_object(), "{}: expected a token, as text or object, found {}", where, value.type_name());
  const JsonObject object(value, where);
  const bool named = special;
  special = special || object.flag("special", false);
  return {.content = object.text("content"),
          .single_word = object.flag("single_word", false),
          .lstrip = object.flag("lstrip", false),
          .rstrip = object.flag("rstrip", false),
          .normalized = object.flag("normalized", !special),
          .special = special,
          .named = named};
}

std::optional<bool> flag(const JsonObject& config, const char* key) {
  return config.has(key) ? std::optional(config.flag(key, false)) : std::nullopt;
}

/// One text, or a list of several with names, of which the one called default counts.
std::string chat_template(const JsonObject& config) {
  if (!config.has("chat_template")) return "";
  if (!config.value().at("chat_template").is_array()) return config.text("chat_template");
  for (const JsonObject& named : config.objects("chat_template")) {
    if (named.text("name") == "default") return named.text("template");
  }
  return "";
}

/// Keys such as bos_token or image_token.
bool names_token(std::string_view key, const json& value) {
  const bool usual = std::find(kNamed.begin(), kNamed.end(), key) != kNamed.end();
  return usual || (key.ends_with("_token") && (value.is_string() || (value.is_object() && value.contains("content"))));
}

void take_list(const JsonObject& config, const char* key, std::vector<AddedToken>& tokens) {
  if (!config.has(key)) return;
  const json& list = config.value().at(key);
  expect(list.is_structured(), "{}: {}: expected a list of tokens, found {}", config.where(), key, list.type_name());
  for (const json& token : list) tokens.push_back(parse_token(token, fmt::format("{}: {}", config.where(), key), true));
}

std::vector<AddedToken> added_tokens_decoder(const JsonObject& config) {
  std::vector<AddedToken> tokens;
  if (!config.has("added_tokens_decoder")) return tokens;
  const JsonObject table = config.object("added_tokens_decoder");
  for (const auto& [key, value] : table.value().items()) {
    AddedToken token = parse_token(value, fmt::format("{}: '{}'", table.where(), shown(key)), false);
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), token.id);
    expect(error == std::errc() && end == key.data() + key.size() && token.id >= 0 && token.id <= kMaxTokenId,
           "{}: expected ids from 0 to {}, found '{}'", table.where(), kMaxTokenId, shown(key));
    tokens.push_back(std::move(token));
  }
  std::sort(tokens.begin(), tokens.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
  return tokens;
}

void refuse_others(const JsonObject& config, const std::vector<std::string_view>& heeded) {
  for (const auto& [key, value] : config.value().items()) {
    const bool known = std::find(heeded.begin(), heeded.end(), key) != heeded.end() ||
                       std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end() || names_token(key, value);
    expect(known || says_nothing(value), "{}: expected no key '{}', which is not supported, found {}", config.where(), shown(key),
           shown(value.dump(-1, ' ', true)));
  }
}

std::optional<json> read_json(const std::filesystem::path& file) {
  return std::filesystem::exists(file) ? std::optional(parse_json(read_text(file), file.string())) : std::nullopt;
}

/// The class of a model family's vocabulary: Qwen2's is its own whatever a tokenizer_config.json says.
void take_model_type(const json& model, TokenizerConfig& config) {
  const auto found = model.is_object() ? model.find("model_type") : model.end();
  if (found == model.end() || !found->is_string()) return;
  const std::string type = *found;
  if (type == "qwen2") config.tokenizer_class = "Qwen2Tokenizer";
  if (!config.tokenizer_class.empty() || type == "llama" || type == "deberta-v2") return;
  config.tokenizer_class = type == "gpt2" ? "GPT2Tokenizer" : type;
}

}  // namespace

TokenizerConfig parse_tokenizer_config(const json& json, const std::string& name) {
  const JsonObject config(json, name);
  refuse_others(config, {"add_bos_token", "add_eos_token", "add_prefix_space", "added_tokens_decoder", "additional_special_tokens",
                         "chat_template", "clean_up_tokenization_spaces", "extra_special_tokens", "legacy", "tokenizer_class"});
  TokenizerConfig result;
  result.stated = true;
  result.tokenizer_class = config.text("tokenizer_class", "");
  result.add_beginning = flag(config, "add_bos_token");
  result.add_end = flag(config, "add_eos_token");
  result.add_prefix_space = flag(config, "add_prefix_space");
  result.legacy = flag(config, "legacy");
  result.clean_up_spaces = config.flag("clean_up_tokenization_spaces", false);
  result.added = added_tokens_decoder(config);
  result.added_replace = true;
  result.chat_template = chat_template(config);
  if (result.tokenizer_class.ends_with("Fast")) result.tokenizer_class.resize(result.tokenizer_class.size() - 4);
  if (json.contains("legacy")) result.legacy = result.legacy.value_or(false);
  for (const auto& [key, value] : json.items()) {
    if (!names_token(key, value)) continue;
    std::optional<AddedToken>& token = result.named[key];
    if (!value.is_null()) token = parse_token(value, fmt::format("{}: {}", name, key), true);
    if (token && token->content.empty()) token.reset();  // an older way to name none
  }
  const auto text_of = [&](const char* key) {
    const auto found = result.named.find(key);
    return found == result.named.end() || !found->second ? std::nullopt : std::optional(found->second->content);
  };
  result.beginning_of_sequence = text_of("bos_token");
  result.end_of_sequence = text_of("eos_token");
  take_list(config, "extra_special_tokens", result.others);
  std::vector<AddedToken> additional;  // an older name, which adds no tokens beside the newer one
  take_list(config, "additional_special_tokens", additional);
  if (result.others.empty()) std::swap(result.others, additional);
  for (const AddedToken& token : additional) result.older_others.push_back(token.content);
  const auto list = json.find("extra_special_tokens");
  result.lists_others = json.contains("additional_special_tokens") || (list != json.end() && !list->is_object());
  return result;
}

void take_added_tokens(const json& json, const std::string& name, TokenizerConfig& config) {
  const JsonObject table(json, name);
  config.added.clear();
  config.added_replace = false;
  for (const auto& item : json.items()) {
    const std::string& content = item.key();
    const auto same = [&](const AddedToken& token) { return token.content == content; };
    const auto& older = config.older_others;
    const bool special =
        std::find(older.begin(), older.end(), content) != older.end() || std::any_of(config.others.begin(), config.others.end(), same) ||
        std::any_of(config.named.begin(), config.named.end(), [&](const auto& token) { return token.second && same(*token.second); });
    const auto id = static_cast<TokenId>(table.integer(content, 0, kMaxTokenId));
    config.added.push_back({.content = content, .id = id, .normalized = !special, .special = special});
  }
  std::sort(config.added.begin(), config.added.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
}

TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder) {
  const std::optional<json> found = read_json(folder / "tokenizer_config.json");
  json object = found.value_or(json::object());
  const std::string name = (folder / "tokenizer_config.json").string();
  expect(object.is_object(), "{}: expected an object, found {}", name, object.type_name());
  const bool older = !object.contains("added_tokens_decoder");
  std::vector<AddedToken> others;
  if (auto map = older ? read_json(folder / "special_tokens_map.json") : std::nullopt) {
    const std::string map_name = (folder / "special_tokens_map.json").string();
    take_list(JsonObject(*map, map_name), "additional_special_tokens", others);
    map->erase("additional_special_tokens");
    object.update(*map);
  }
  TokenizerConfig config = parse_tokenizer_config(object, name);
  config.stated = found.has_value();
  for (const AddedToken& token : others) config.older_others.push_back(token.content);
  if (const auto added = older ? read_json(folder / "added_tokens.json") : std::nullopt) {
    take_added_tokens(*added, (folder / "added_tokens.json").string(), config);
  }
  if (const auto model = read_json(folder / "config.json")) take_model_type(*model, config);
  if (std::filesystem::exists(folder / "chat_template.jinja")) config.chat_template = read_text(folder / "chat_template.jinja");
  return config;
}

}  // namespace paretofl
