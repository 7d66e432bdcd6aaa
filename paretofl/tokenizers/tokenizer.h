#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// Special tokens that a vocabulary puts around and between two texts.
struct PairIds {
  TokenIds before, between, after;
};

/// A published vocabulary with its way of cutting texts. Immutable, and safe to share between threads.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Ids of a UTF-8 text; special tokens that stand in it as text are recognized, and those that the vocabulary's own
  /// post-processing adds (such as <s> in front) are added where `add_special` asks for them. Bytes that are not UTF-8 are
  /// encoded like any others by byte-level vocabularies and by those with byte fallback. Throws Error if a vocabulary
  /// cannot express a byte.
  virtual TokenIds encode(std::string_view text, bool add_special = false) const = 0;
  /// The text of ids, byte for byte; special tokens are left out where `skip_special` says so. Throws Error on an id
  /// outside of the vocabulary.
  virtual std::string decode(std::span<const TokenId> ids, bool skip_special = false) const = 0;

  virtual std::size_t vocabulary_size() const = 0;
  /// Whether an id stands for a token. A model can have more ids than its vocabulary, for tables of a round size. Default: those below
  /// vocabulary_size().
  virtual bool has(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < vocabulary_size(); }
  virtual std::optional<TokenId> id_of(std::string_view token) const = 0;  ///< of one token's own text, special ones too
  virtual std::optional<TokenId> beginning_of_sequence() const = 0;
  virtual std::optional<TokenId> end_of_sequence() const = 0;

  /// What stands around two texts that are encoded as a pair, such as [CLS] first [SEP] second [SEP]. Throws Error where the vocabulary
  /// doesn't say it, which is the default.
  virtual PairIds around_pair() const;
};

/// The tokenizer of a file (tokenizer.json, a SentencePiece tokenizer.model, or vocab.json with merges.txt beside it) or
/// of the first of these that a folder holds. Throws Error naming the file and what was wrong with it.
std::unique_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& path);

/// The files of a tokenizer's file, by the names that a folder has them under and with their content, unpacked: tokenizer.json,
/// tokenizer.model, or vocab.json and merges.txt. Throws Error as load_tokenizer does of a file that is no such thing.
std::map<std::string, std::string> tokenizer_files(const std::filesystem::path& file);

}  // namespace paretofl
