#include "paretofl/text/tokenizer_json.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/options.h"
#include "paretofl/text/bpe.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/pipeline_tokenizer.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/unigram.h"

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

}  // namespace

std::unique_ptr<const Tokenizer> parse_tokenizer_json(const json& json, const std::string& name, const TokenizerConfig& config) {
  const JsonObject file(json, name);
  TokenizerParts parts;
  parts.model = parse_model(file.object("model"));
  parts.added = parse_added_tokens(file);
  if (file.has("normalizer")) parts.normalizer = make_normalizer(file.object("normalizer"));
  if (file.has("pre_tokenizer")) parts.pre_tokenizer = make_pre_tokenizer(file.object("pre_tokenizer"));
  if (file.has("decoder")) parts.decoder = make_token_decoder(file.object("decoder"));
  if (file.has("post_processor")) parts.surrounding = parse_post_processor(file.object("post_processor"));
  return std::make_unique<PipelineTokenizer>(std::move(parts), config, name);
}

std::unique_ptr<const Tokenizer> parse_vocab_and_merges(const json& vocab, const std::string& merges, const std::string& name,
                                                        const TokenizerConfig& config) {
  std::unique_ptr<Vocabulary> vocabulary = parse_vocabulary(vocab, name);
  TokenizerParts parts;
  for (const std::optional<std::string>& special :
       {std::optional<std::string>("<|endoftext|>"), config.beginning_of_sequence, config.end_of_sequence}) {
    const std::optional<TokenId> id = special ? vocabulary->id_of(*special) : std::nullopt;
    const bool known = std::any_of(parts.added.begin(), parts.added.end(), [&](const AddedToken& token) { return token.id == id; });
    if (id && !known) parts.added.push_back({.content = *special, .id = *id, .special = true});
  }
  std::vector<Bpe::Merge> pairs;
  for_each_line(merges, [&](std::string_view line, std::size_t number) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with("#version")) return;
    pairs.push_back(parse_merge(line, fmt::format("{}: merges, line {}", name, number)));
  });
  parts.model = std::make_unique<Bpe>(std::move(vocabulary), pairs, BpeSettings{}, name + ": merges");
  const nlohmann::json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
  parts.pre_tokenizer = make_pre_tokenizer(JsonObject(byte_level, name));
  parts.decoder = make_token_decoder(JsonObject(byte_level, name));
  return std::make_unique<PipelineTokenizer>(std::move(parts), config, name);
}

}  // namespace paretofl
