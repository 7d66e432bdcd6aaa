#include "paretofl/tokenizers/pipeline_tokenizer.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/clean_up_spaces.h"

namespace paretofl {
namespace {

/// How those added tokens stand in a text that are looked for before, or after, it is normalized.
std::vector<std::string> spellings(const TokenizerParts& parts, bool normalized) {
  std::vector<std::string> result;
  for (const AddedToken& token : parts.added) {
    if (token.normalized != normalized) {
      result.emplace_back();
    } else {
      result.push_back(normalized && parts.normalizer ? parts.normalizer->normalize(token.content) : token.content);
    }
  }
  return result;
}

/// The token of the config, or else the first of the usual ones that is an added token.
std::optional<TokenId> special(const Tokenizer& tokenizer, const std::vector<AddedToken>& added,
                               const std::optional<std::string>& configured, std::initializer_list<std::string_view> usual,
                               const std::string& name) {
  if (configured) {
    const std::optional<TokenId> id = tokenizer.id_of(*configured);
    expect(id.has_value(), "{}: expected the special token '{}' of tokenizer_config.json, found none", name, shown(*configured));
    return id;
  }
  for (const std::string_view content : usual) {
    for (const AddedToken& token : added) {
      if (token.content == content) return token.id;
    }
  }
  return std::nullopt;
}

}  // namespace

/// Encodes words, each distinct one once.
class PipelineTokenizer::Words {
 public:
  explicit Words(const SubwordModel& model) : model_(model) {}

  void encode(const std::string& word, TokenIds& ids) {
    constexpr std::size_t kLongest = 256;  // longer words seldom come again
    if (word.size() > kLongest) return model_.encode(word, ids);
    const auto [entry, fresh] = known_.try_emplace(word);
    if (fresh) model_.encode(word, entry->second);
    ids.insert(ids.end(), entry->second.begin(), entry->second.end());
  }

 private:
  const SubwordModel& model_;
  std::unordered_map<std::string, TokenIds> known_;
};

PipelineTokenizer::PipelineTokenizer(TokenizerParts parts, const TokenizerConfig& config, const std::string& name)
    : parts_(std::move(parts)) {
  std::sort(parts_.added.begin(), parts_.added.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
  for (const AddedToken& token : parts_.added) {
    texts_.push_back(token.normalized && parts_.normalizer ? parts_.normalizer->normalize(token.content) : token.content);
    expect(!texts_.back().empty(), "{}: expected normalized added tokens of which the normalizer leaves a part, found '{}' under the id {}",
           name, shown(token.content), token.id);
  }
  as_written_ = std::make_unique<AddedTokens>(parts_.added, spellings(parts_, false));
  normalized_ = std::make_unique<AddedTokens>(parts_.added, spellings(parts_, true));
  beginning_ = special(*this, parts_.added, config.beginning_of_sequence, {"<s>", "<|begin_of_text|>", "[CLS]", "<|endoftext|>"}, name);
  end_ = special(*this, parts_.added, config.end_of_sequence, {"</s>", "<|end_of_text|>", "<|im_end|>", "[SEP]", "<|endoftext|>"}, name);
}

TokenIds PipelineTokenizer::encode(std::string_view text, bool add_special) const {
  TokenIds ids;
  if (add_special) ids = parts_.surrounding.before;
  Words words(*parts_.model);
  for (const TextPart& part : as_written_->split(text)) {
    if (part.token != nullptr) {
      ids.push_back(part.token->id);
    } else {
      encode_part(part.text, part.text.data() == text.data(), words, ids);
    }
  }
  if (add_special) ids.insert(ids.end(), parts_.surrounding.after.begin(), parts_.surrounding.after.end());
  return ids;
}

void PipelineTokenizer::encode_part(std::string_view text, bool at_start, Words& words, TokenIds& ids) const {
  const std::string normalized = parts_.normalizer ? parts_.normalizer->normalize(text) : std::string(text);
  if (at_start && parts_.normalizer && parts_.pre_tokenizer && parts_.pre_tokenizer->heeds_start())
    at_start = parts_.normalizer->keeps_start(text);
  std::vector<std::string> cut;
  for (const TextPart& part : normalized_->split(normalized)) {
    if (part.token != nullptr) {
      ids.push_back(part.token->id);
      continue;
    }
    cut.clear();
    if (parts_.pre_tokenizer) {
      parts_.pre_tokenizer->cut(part.text, at_start && part.text.data() == normalized.data(), cut);
    } else {
      cut.emplace_back(part.text);
    }
    for (const std::string& word : cut) {
      if (!word.empty()) words.encode(word, ids);
    }
  }
}

std::string PipelineTokenizer::decode(std::span<const TokenId> ids, bool skip_special) const {
  std::vector<std::string> tokens;
  for (const TokenId id : ids) {
    const AddedToken* token = added(id);
    const std::string* word =
        token != nullptr ? &texts_[static_cast<std::size_t>(token - parts_.added.data())] : parts_.model->vocabulary().token_of(id);
    expect(word != nullptr, "decode: expected ids of the vocabulary, below {}, found {}", vocabulary_size(), id);
    if (token == nullptr || !token->special || !skip_special) tokens.push_back(*word);
  }
  if (parts_.decoder) parts_.decoder->decode(tokens);
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!parts_.decoder && i > 0) text += ' ';
    text += tokens[i];
  }
  return parts_.clean_up_spaces ? clean_up_spaces(std::move(text)) : text;
}

PairIds PipelineTokenizer::around_pair() const { return parts_.surrounding.pair ? *parts_.surrounding.pair : Tokenizer::around_pair(); }

bool PipelineTokenizer::has(TokenId id) const { return added(id) != nullptr || parts_.model->vocabulary().token_of(id) != nullptr; }

std::size_t PipelineTokenizer::vocabulary_size() const {
  const std::size_t after_added = parts_.added.empty() ? 0 : static_cast<std::size_t>(parts_.added.back().id) + 1;
  return std::max(parts_.model->vocabulary().size(), after_added);
}

std::optional<TokenId> PipelineTokenizer::id_of(std::string_view token) const {
  for (const AddedToken& added : parts_.added) {
    if (added.content == token) return added.id;
  }
  return parts_.model->vocabulary().id_of(token);
}

const AddedToken* PipelineTokenizer::added(TokenId id) const {
  const auto found =
      std::lower_bound(parts_.added.begin(), parts_.added.end(), id, [](const AddedToken& token, TokenId i) { return token.id < i; });
  return found != parts_.added.end() && found->id == id ? &*found : nullptr;
}

}  // namespace paretofl
