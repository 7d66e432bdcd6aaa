#include "paretofl/text/tokenizer_config.h"

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// A token is written as its text or as an object with its `content`.
std::optional<std::string> token(const JsonObject& config, const char* key) {
  if (!config.has(key)) return std::nullopt;
  return config.value().at(key).is_object() ? config.object(key).text("content") : config.text(key);
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

}  // namespace

TokenizerConfig parse_tokenizer_config(const std::string& text, const std::string& name) {
  const nlohmann::json json = parse_json(text, name);
  const JsonObject config(json, name);
  return {.beginning_of_sequence = token(config, "bos_token"),
          .end_of_sequence = token(config, "eos_token"),
          .add_beginning = flag(config, "add_bos_token"),
          .add_end = flag(config, "add_eos_token"),
          .chat_template = chat_template(config)};
}

TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "tokenizer_config.json";
  if (!std::filesystem::exists(file)) return {};
  return parse_tokenizer_config(read_text(file), file.string());
}

}  // namespace paretofl
