#include "paretofl/tokenizers/byte_tokenizer.h"

#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/byte_alphabet.h"

namespace paretofl {

TokenIds ByteTokenizer::encode(std::string_view text, bool add_special) const {
  TokenIds ids;
  if (add_special) ids.push_back(kBeginning);
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

std::string ByteTokenizer::decode(std::span<const TokenId> ids, bool skip_special) const {
  std::string text;
  for (const TokenId id : ids) {
    expect(id >= 0 && id <= kEnd, "tokenizer: expected ids 0 to {}, found {}", kEnd, id);
    if (id < kBeginning) {
      text.push_back(static_cast<char>(id));
    } else if (!skip_special) {
      text += id == kBeginning ? "<s>" : "</s>";
    }
  }
  return text;
}

std::string ByteTokenizer::tokenizer_json() {
  using Json = nlohmann::ordered_json;
  Json vocabulary = Json::object();
  for (int byte = 0; byte < 256; ++byte) vocabulary[to_byte_alphabet(std::string(1, static_cast<char>(byte)))] = byte;
  const auto special = [](const char* text, TokenId id) {
    return Json{{"id", id},        {"content", text},     {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", true}};
  };
  const Json before = {{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}};
  const Json sequence = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const Json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
  const Json beginning = {{"id", "<s>"}, {"ids", Json::array({kBeginning})}, {"tokens", Json::array({"<s>"})}};
  const Json json = {{"version", "1.0"},
                     {"truncation", nullptr},
                     {"padding", nullptr},
                     {"added_tokens", Json::array({special("<s>", kBeginning), special("</s>", kEnd)})},
                     {"normalizer", nullptr},
                     {"pre_tokenizer", byte_level},
                     {"post_processor",
                      {{"type", "TemplateProcessing"},
                       {"single", Json::array({before, sequence})},
                       {"pair", Json::array({before, sequence})},
                       {"special_tokens", {{"<s>", beginning}}}}},
                     {"decoder", byte_level},
                     {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", Json::array()}}}};
  return json.dump(1) + '\n';
}

std::optional<TokenId> ByteTokenizer::id_of(std::string_view token) const {
  if (token == "<s>") return kBeginning;
  if (token == "</s>") return kEnd;
  if (token.size() == 1) return static_cast<unsigned char>(token[0]);
  return std::nullopt;
}

}  // namespace paretofl
