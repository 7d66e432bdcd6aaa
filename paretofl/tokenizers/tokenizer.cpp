#include "paretofl/tokenizers/tokenizer.h"

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/sentencepiece_tokenizer.h"
#include "paretofl/tokenizers/tokenizer_config.h"
#include "paretofl/tokenizers/tokenizer_json.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

fs::path tokenizer_file(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  for (const char* name : {"tokenizer.json", "tokenizer.model", "vocab.json"}) {
    if (fs::exists(path / name)) return path / name;
  }
  throw Error(fmt::format("{}: expected a folder with tokenizer.json, tokenizer.model or vocab.json, found none of them", path.string()));
}

/// gpt2-vocab.json: gpt2-merges.txt.
fs::path merges_beside(const fs::path& vocab) {
  constexpr std::string_view kVocab = "vocab.json";
  std::string name = vocab.filename().string();
  const std::size_t at = name.find(kVocab);
  expect(at != std::string::npos, "{}: expected a tokenizer.json with a model, or a file called vocab.json, found neither", vocab.string());
  return vocab.parent_path() / name.replace(at, kVocab.size(), "merges.txt");
}

/// By its content, or by its name where it is broken.
bool is_json(const fs::path& file, const std::string& content) {
  const std::size_t begin = content.find_first_not_of(" \t\r\n");
  return (begin != std::string::npos && content[begin] == '{') || file.filename().string().find(".json") != std::string::npos;
}

bool is_tokenizer_json(const nlohmann::json& json, const std::string& name) {
  return JsonObject(json, name).has("model") && json.at("model").is_object();
}

}  // namespace

PairIds Tokenizer::around_pair() const {
  throw Error("tokenizer: expected a vocabulary that says how two texts are a pair (the post-processor's \"pair\"), found none");
}

std::map<std::string, std::string> tokenizer_files(const fs::path& file) {
  std::string content = read_text(file);
  if (!is_json(file, content)) return {{"tokenizer.model", std::move(content)}};
  const nlohmann::json json = parse_json(content, file.string());
  if (is_tokenizer_json(json, file.string())) return {{"tokenizer.json", std::move(content)}};
  return {{"vocab.json", std::move(content)}, {"merges.txt", read_text(merges_beside(file))}};
}

std::unique_ptr<const Tokenizer> load_tokenizer(const fs::path& path) {
  const fs::path file = tokenizer_file(path);
  const std::string name = file.string();
  const std::string content = read_text(file);
  const TokenizerConfig config = read_tokenizer_config(file.parent_path());
  if (!is_json(file, content)) return parse_sentencepiece_model(content, name, config);
  const nlohmann::json json = parse_json(content, name);
  if (is_tokenizer_json(json, name)) return parse_tokenizer_json(json, name, config);
  return parse_vocab_and_merges(json, read_text(merges_beside(file)), name, config);
}

}  // namespace paretofl
