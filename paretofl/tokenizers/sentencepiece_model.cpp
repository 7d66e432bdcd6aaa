#include <algorithm>
#include <cfloat>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/configured_tokens.h"
#include "paretofl/tokenizers/pipeline_tokenizer.h"
#include "paretofl/tokenizers/scored_bpe.h"
#include "paretofl/tokenizers/sentencepiece_model.pb.h"
#include "paretofl/tokenizers/sentencepiece_tokenizer.h"
#include "paretofl/tokenizers/unigram.h"

namespace paretofl {
namespace {

using Model = text::SentencePieceModel;
using Piece = Model::Piece;

/// Scores of the pieces that words are made of. A user's piece in a unigram model always wins: its score is near 0.
std::vector<std::optional<double>> scores_of(const Model& model, const std::string& name) {
  float most = FLT_MIN;
  for (const Piece& piece : model.pieces()) {
    expect(std::isfinite(piece.score()), "{}: expected finite scores, found one that is not finite for '{}'", name, shown(piece.piece()));
    if (piece.type() == Piece::NORMAL) most = std::max(most, piece.score());
  }
  const bool unigram = model.trainer_spec().model_type() == Model::Trainer::UNIGRAM;
  std::vector<std::optional<double>> scores;
  for (const Piece& piece : model.pieces()) {
    scores.emplace_back();
    if (piece.type() == Piece::NORMAL) scores.back() = piece.score();
    if (piece.type() == Piece::USER_DEFINED) {
      scores.back() = unigram ? static_cast<double>(static_cast<float>(piece.piece().size()) * most) - 0.1 : piece.score();
    }
  }
  return scores;
}

std::vector<TokenId> user_defined(const Model& model) {
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < model.pieces_size(); ++id) {
    if (model.pieces(id).type() == Piece::USER_DEFINED) ids.push_back(id);
  }
  return ids;
}

/// Pieces that stand for themselves wherever they are.
std::vector<AddedToken> added_pieces(const Model& model, bool users) {
  std::vector<AddedToken> tokens;
  for (TokenId id = 0; id < model.pieces_size(); ++id) {
    const Piece& piece = model.pieces(id);
    const bool control = piece.type() == Piece::CONTROL;
    if (control || (users && piece.type() == Piece::USER_DEFINED)) {
      tokens.push_back({.content = piece.piece(), .id = id, .special = control});
    }
  }
  return tokens;
}

std::unique_ptr<const SubwordModel> subword_model(const Model& model, std::unique_ptr<const Vocabulary> vocabulary, TokenId unknown,
                                                  const std::string& name) {
  const bool bytes = model.trainer_spec().byte_fallback();
  if (model.trainer_spec().model_type() == Model::Trainer::BPE) {
    return std::make_unique<ScoredBpe>(std::move(vocabulary), scores_of(model, name), user_defined(model), unknown, bytes);
  }
  expect(model.trainer_spec().model_type() == Model::Trainer::UNIGRAM, "{}: expected a model of type unigram or BPE, found another", name);
  float least = FLT_MAX;
  for (const Piece& piece : model.pieces()) {
    if (piece.type() == Piece::NORMAL) least = std::min(least, piece.score());
  }
  constexpr float kUnknownPenalty = 10;
  return std::make_unique<Unigram>(std::move(vocabulary), UnigramSettings{.scores = scores_of(model, name),
                                                                          .unknown = unknown,
                                                                          .unknown_score = least - kUnknownPenalty,
                                                                          .byte_fallback = bytes,
                                                                          .single_precision = true});
}

SentencePieceNormalization normalization(const Model& model, const std::string& name) {
  const Model::Normalizer& spec = model.normalizer_spec();
  return {.rules = Charsmap(spec.precompiled_charsmap(), name),
          .add_dummy_prefix = spec.add_dummy_prefix(),
          .remove_extra_whitespaces = spec.remove_extra_whitespaces(),
          .escape_whitespaces = spec.escape_whitespaces(),
          .space_as_suffix = model.trainer_spec().treat_whitespace_as_suffix()};
}

/// As the reference library's class of Llama cuts texts: without the model's rules, a space added in front of a text that has
/// none, or of every part between added tokens in its legacy behaviour.
std::unique_ptr<const Tokenizer> llama_tokenizer(const Model& model, std::unique_ptr<const Vocabulary> vocabulary, TokenId unknown,
                                                 const std::string& name, const TokenizerConfig& config) {
  using nlohmann::json;
  expect(model.trainer_spec().model_type() == Model::Trainer::BPE, "{}: expected a BPE model for LlamaTokenizer, found another", name);
  const DefaultTokens defaults = {{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}};
  const bool prefix = config.add_prefix_space.value_or(true);
  const char* scheme = !prefix ? "never" : config.legacy.value_or(false) ? "always" : "first";
  const json words = {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", scheme}, {"split", false}};
  json decoders = {
      {{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}}, {{"type", "ByteFallback"}}, {{"type", "Fuse"}}};
  if (prefix) decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  const json decoder = {{"type", "Sequence"}, {"decoders", decoders}};
  TokenizerParts parts;
  parts.added = with_configured_tokens(config.lists_others ? std::vector<AddedToken>() : added_pieces(model, true), config, defaults,
                                       *vocabulary, name);
  parts.surrounding = configured_ends(config, defaults, parts.added);
  parts.model = subword_model(model, std::move(vocabulary), unknown, name);
  parts.pre_tokenizer = make_pre_tokenizer(JsonObject(words, name));
  parts.decoder = make_token_decoder(JsonObject(decoder, name));
  return std::make_unique<PipelineTokenizer>(std::move(parts), config, name);
}

}  // namespace

std::unique_ptr<const Tokenizer> parse_sentencepiece_model(const std::string& content, const std::string& name,
                                                           const TokenizerConfig& config) {
  Model model;
  expect(model.ParseFromString(content) && model.pieces_size() > 0, "{}: expected a SentencePiece model, found something else", name);
  expect(model.denormalizer_spec().precompiled_charsmap().empty(), "{}: expected no rules for decoding, found some", name);
  auto vocabulary = std::make_unique<Vocabulary>();
  SentencePieceParts parts;
  std::vector<TokenId> unknown;
  for (TokenId id = 0; id < model.pieces_size(); ++id) {
    const Piece& piece = model.pieces(id);
    expect(!piece.piece().empty(), "{}: expected pieces of at least a byte, found {} empty", name, id);
    expect(piece.type() != Piece::UNUSED, "{}: expected pieces in use, found '{}' unused", name, shown(piece.piece()));
    vocabulary->add(piece.piece(), id, name);
    parts.byte.push_back(piece.type() == Piece::BYTE);
    if (piece.type() == Piece::UNKNOWN) unknown.push_back(id);
    if (piece.type() != Piece::CONTROL) continue;
    if (piece.piece() == model.trainer_spec().bos_piece()) parts.beginning = id;
    if (piece.piece() == model.trainer_spec().eos_piece()) parts.end = id;
  }
  expect(unknown.size() == 1, "{}: expected one unknown piece, found {}", name, unknown.size());
  if (config.tokenizer_class == "LlamaTokenizer") return llama_tokenizer(model, std::move(vocabulary), unknown[0], name, config);
  const std::string& kind = config.tokenizer_class;
  expect(kind.empty() || kind == "PreTrainedTokenizer" || kind == "TokenizersBackend",
         "{}: expected LlamaTokenizer or no class of its own for a SentencePiece model, found '{}'", name, shown(kind));
  DefaultTokens defaults;
  if (config.stated) {
    if (parts.beginning) defaults.emplace_back("bos_token", model.pieces(*parts.beginning).piece());
    if (parts.end) defaults.emplace_back("eos_token", model.pieces(*parts.end).piece());
    defaults.emplace_back("unk_token", model.pieces(unknown[0]).piece());
  }
  const bool bpe = model.trainer_spec().model_type() == Model::Trainer::BPE;
  // A unigram model finds its own pieces in any text.
  std::vector<AddedToken> own;
  if (!bpe || !config.lists_others) own = added_pieces(model, false);
  if (const auto other = config.named.find("unk_token"); !bpe && other != config.named.end()) {
    expect(other->second && other->second->content == model.pieces(unknown[0]).piece(),
           "{}: expected unk_token to be the unigram model's own, '{}', found '{}'", name, shown(model.pieces(unknown[0]).piece()),
           other->second ? shown(other->second->content) : "none");
  }
  parts.added = with_configured_tokens(own, config, defaults, *vocabulary, name);
  if (config.stated) {
    parts.surrounding = configured_ends(config, defaults, parts.added);
  } else if (parts.beginning) {
    parts.surrounding = {{*parts.beginning}, {}, PairIds{{*parts.beginning}, {*parts.beginning}, {}}};
  }
  parts.clean_up_spaces = config.clean_up_spaces && !bpe;
  parts.unknown = unknown[0];
  parts.unknown_text = model.trainer_spec().unk_surface();
  parts.normalizer = std::make_unique<SentencePieceNormalizer>(normalization(model, name), trie_of(*vocabulary, user_defined(model)));
  parts.model = subword_model(model, std::move(vocabulary), parts.unknown, name);
  return std::make_unique<SentencePieceTokenizer>(std::move(parts), config, name);
}

}  // namespace paretofl
