#include "paretofl/tokenizers/tokenizer_json.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/registry/options.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/bpe.h"
#include "paretofl/tokenizers/configured_tokens.h"
#include "paretofl/tokenizers/pipeline_tokenizer.h"
#include "paretofl/tokenizers/unigram.h"

namespace paretofl {
namespace {

using nlohmann::json;

std::unique_ptr<Vocabulary> parse_vocabulary(const json& tokens, const std::string& where) {
  expect(tokens.is_object(), "{}: expected an object of tokens and ids, found {}", where, tokens.type_name());
  auto vocabulary = std::make_unique<Vocabulary>();
  for (const auto& [token, id] : tokens.items()) {
    expect(id.is_number_integer() && (!id.is_number_unsigned() || id.get<std::uint64_t>() <= kMaxTokenId),
           "{}: expected ids from 0 to {}, found {} of '{}'", where, kMaxTokenId, id.is_number() ? id.dump() : id.type_name(),
           shown(token));
    vocabulary->add(token, id.get<std::int64_t>(), where);
  }
  return vocabulary;
}

/// "a b": one space between two tokens.
Bpe::Merge parse_merge(std::string_view line, const std::string& where) {
  const std::size_t space = line.find(' ');
  expect(space != std::string_view::npos && line.find(' ', space + 1) == std::string_view::npos,
         "{}: expected two tokens with a space between, found '{}'", where, shown(line));
  return {std::string(line.substr(0, space)), std::string(line.substr(space + 1))};
}

std::vector<Bpe::Merge> parse_merges(const json& list, const std::string& where) {
  std::vector<Bpe::Merge> merges;
  for (const json& item : list) {
    const std::string place = fmt::format("{}: merges[{}]", where, merges.size());
    if (item.is_string()) {
      merges.push_back(parse_merge(item.get_ref<const std::string&>(), place));
    } else {
      expect(item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string(), "{}: expected two tokens, found {}", place,
             item.is_array() ? "another list" : item.type_name());
      merges.emplace_back(item[0].get<std::string>(), item[1].get<std::string>());
    }
  }
  return merges;
}

std::unique_ptr<const SubwordModel> parse_bpe(const JsonObject& model) {
  expect(!model.has("dropout") || model.value().at("dropout") == 0, "{}: dropout: expected none, found some", model.where());
  std::unique_ptr<Vocabulary> vocabulary = parse_vocabulary(model.object("vocab").value(), model.where() + ": vocab");
  BpeSettings settings{.unknown = {},
                       .fuse_unknown = model.flag("fuse_unk", false),
                       .byte_fallback = model.flag("byte_fallback", false),
                       .ignore_merges = model.flag("ignore_merges", false),
                       .continuing_prefix = model.text("continuing_subword_prefix", ""),
                       .word_suffix = model.text("end_of_word_suffix", "")};
  if (model.has("unk_token")) {
    settings.unknown = vocabulary->id_of(model.text("unk_token"));
    expect(settings.unknown.has_value(), "{}: unk_token: expected a token of the vocabulary, found '{}'", model.where(),
           shown(model.text("unk_token")));
  }
  return std::make_unique<Bpe>(std::move(vocabulary), parse_merges(model.list("merges"), model.where()), std::move(settings),
                               model.where());
}

/// The unknown token's score is 10 below the least, as in SentencePiece.
std::unique_ptr<const SubwordModel> parse_unigram(const JsonObject& model) {
  auto vocabulary = std::make_unique<Vocabulary>();
  UnigramSettings settings{.scores = {}, .unknown = {}, .byte_fallback = model.flag("byte_fallback", false)};
  double least = kInfinity;
  for (const json& piece : model.list("vocab")) {
    const std::string where = fmt::format("{}: vocab[{}]", model.where(), settings.scores.size());
    const bool scored = piece.is_array() && piece.size() == 2 && piece[0].is_string() && piece[1].is_number();
    expect(scored, "{}: expected a token and its score, found {}", where, piece.is_array() ? "another list" : piece.type_name());
    vocabulary->add(piece[0].get_ref<const std::string&>(), static_cast<std::int64_t>(settings.scores.size()), where);
    settings.scores.emplace_back(piece[1].get<double>());
    least = std::min(least, *settings.scores.back());
  }
  settings.unknown_score = least - 10;
  if (model.has("unk_id")) {
    settings.unknown = static_cast<TokenId>(model.integer("unk_id", 0, static_cast<std::int64_t>(settings.scores.size()) - 1));
  }
  return std::make_unique<Unigram>(std::move(vocabulary), std::move(settings));
}

/// Old files leave the type of a model out.
std::unique_ptr<const SubwordModel> parse_model(const JsonObject& model) {
  const std::string type = model.text("type", model.has("merges") ? "BPE" : "");
  if (type == "BPE") return parse_bpe(model);
  if (type == "Unigram") return parse_unigram(model);
  throw Error(fmt::format("{}: expected a model BPE or Unigram, found '{}'", model.where(), shown(type)));
}

/// How a class of the reference library cuts texts for a vocab.json with its merges.txt.
struct ByteLevelClass {
  DefaultTokens defaults;
  json normalizer, pre_tokenizer;
};

ByteLevelClass byte_level_class(const TokenizerConfig& config, const std::string& name) {
  const json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", config.add_prefix_space.value_or(false)}};
  const std::string end = "<|endoftext|>";
  if (config.tokenizer_class.empty() || config.tokenizer_class == "GPT2Tokenizer") {
    return {{{"bos_token", end}, {"eos_token", end}, {"unk_token", end}}, nullptr, byte_level};
  }
  expect(config.tokenizer_class == "Qwen2Tokenizer", "{}: expected GPT2Tokenizer or Qwen2Tokenizer for a vocab.json, found '{}'", name,
         shown(config.tokenizer_class));
  json words = byte_level;
  words["use_regex"] = false;
  constexpr const char* kWords =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  const json split = {{"type", "Split"}, {"pattern", {{"Regex", kWords}}}, {"behavior", "Isolated"}, {"invert", false}};
  return {{{"unk_token", end}, {"eos_token", end}, {"pad_token", end}},
          {{"type", "NFC"}},
          {{"type", "Sequence"}, {"pretokenizers", json::array({split, words})}}};
}

/// Qwen2's class takes the flags of special tokens away.
void make_plain(std::vector<AddedToken>& tokens) {
  for (AddedToken& token : tokens) {
    if (token.named) token = {.content = token.content, .id = token.id, .special = true, .named = true};
  }
}

std::vector<AddedToken> parse_added_tokens(const JsonObject& file) {
  std::vector<AddedToken> result;
  if (!file.has("added_tokens")) return result;
  for (const JsonObject& token : file.objects("added_tokens")) {
    result.push_back({.content = token.text("content"),
                      .id = static_cast<TokenId>(token.integer("id", 0, kMaxTokenId)),
                      .single_word = token.flag("single_word", false),
                      .lstrip = token.flag("lstrip", false),
                      .rstrip = token.flag("rstrip", false),
                      .normalized = token.flag("normalized", false),
                      .special = token.flag("special", false)});
  }
  return result;
}

/// Whether the words of a byte-level pre-tokenizer begin with a space; nothing where it has no such one.
std::optional<bool> adds_prefix_space(const JsonObject& pre_tokenizer) {
  const std::string type = pre_tokenizer.text("type");
  if (type == "ByteLevel") return pre_tokenizer.flag("add_prefix_space", true);
  if (type != "Sequence") return {};
  for (const JsonObject& part : pre_tokenizer.objects("pretokenizers")) {
    if (const auto adds = adds_prefix_space(part)) return adds;
  }
  return {};
}

/// The reference library's classes of byte-level vocabularies cut texts as tokenizer_config.json says, the general one as the file does.
void expect_prefix_space(const JsonObject& file, const TokenizerConfig& config) {
  const std::string& kind = config.tokenizer_class;
  const bool general = kind.empty() || kind.starts_with("PreTrained") || kind.starts_with("Llama") || kind == "TokenizersBackend";
  if (general || !config.add_prefix_space || !file.has("pre_tokenizer")) return;
  const auto adds = adds_prefix_space(file.object("pre_tokenizer"));
  expect(!adds || *adds == *config.add_prefix_space,
         "{}: pre_tokenizer: expected add_prefix_space {}, as tokenizer_config.json says for {}, found {}", file.where(),
         *config.add_prefix_space, shown(kind), *adds);
}

}  // namespace

std::unique_ptr<const Tokenizer> parse_tokenizer_json(const json& json, const std::string& name, const TokenizerConfig& config) {
  const JsonObject file(json, name);
  const std::string version = file.text("version", "1.0");
  expect(version == "1.0", "{}: expected the version 1.0, found '{}'", name, shown(version));
  if (file.has("padding")) {
    const nlohmann::json& padding = file.object("padding").value();
    expect(padding.value("strategy", nlohmann::json()) == "BatchLongest" && padding.value("pad_to_multiple_of", nlohmann::json()).is_null(),
           "{}: padding: expected the strategy BatchLongest, under which a text alone keeps its length, found {}", name,
           shown(padding.dump()));
  }
  expect_prefix_space(file, config);
  TokenizerParts parts;
  parts.model = parse_model(file.object("model"));
  parts.added = with_configured_tokens(parse_added_tokens(file), config, {}, parts.model->vocabulary(), name);
  if (file.has("normalizer")) parts.normalizer = make_normalizer(file.object("normalizer"));
  if (file.has("pre_tokenizer")) parts.pre_tokenizer = make_pre_tokenizer(file.object("pre_tokenizer"));
  if (file.has("decoder")) parts.decoder = make_token_decoder(file.object("decoder"));
  if (file.has("post_processor")) parts.surrounding = parse_post_processor(file.object("post_processor"));
  parts.clean_up_spaces = config.clean_up_spaces && !file.object("model").has("merges");
  return std::make_unique<PipelineTokenizer>(std::move(parts), config, name);
}

std::unique_ptr<const Tokenizer> parse_vocab_and_merges(const json& vocab, const std::string& merges, const std::string& name,
                                                        const TokenizerConfig& config) {
  std::unique_ptr<Vocabulary> vocabulary = parse_vocabulary(vocab, name);
  const ByteLevelClass built = byte_level_class(config, name);
  TokenizerParts parts;
  parts.added = with_configured_tokens({}, config, built.defaults, *vocabulary, name);
  if (config.tokenizer_class == "Qwen2Tokenizer") make_plain(parts.added);
  std::vector<Bpe::Merge> pairs;
  for_each_line(merges, [&](std::string_view line, std::size_t number) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with("#version")) return;
    pairs.push_back(parse_merge(line, fmt::format("{}: merges, line {}", name, number)));
  });
  parts.model = std::make_unique<Bpe>(std::move(vocabulary), pairs, BpeSettings{}, name + ": merges");
  if (!built.normalizer.is_null()) parts.normalizer = make_normalizer(JsonObject(built.normalizer, name));
  parts.pre_tokenizer = make_pre_tokenizer(JsonObject(built.pre_tokenizer, name));
  parts.decoder = make_token_decoder(JsonObject({{"type", "ByteLevel"}}, name));
  parts.surrounding = configured_ends(config, built.defaults, parts.added);
  return std::make_unique<PipelineTokenizer>(std::move(parts), config, name);
}

}  // namespace paretofl
