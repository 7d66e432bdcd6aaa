#include "paretofl/tokenizers/training_tokens.h"

#include <algorithm>

namespace paretofl {
namespace {

constexpr std::string_view kHuman = "\n\nHuman:";
constexpr std::string_view kAssistant = "\n\nAssistant:";

void end(const Tokenizer& tokenizer, TokenIds& ids) {
  if (const auto token = tokenizer.end_of_sequence(); token && (ids.empty() || ids.back() != *token)) ids.push_back(*token);
}

}  // namespace

TokenIds dialogue_tokens(const Tokenizer& tokenizer, std::string_view text) {
  TokenIds ids;
  for (std::size_t begin = 0; begin < text.size();) {
    // Up to where the human speaks again after an answer.
    const std::size_t answer = std::min(text.find(kAssistant, begin), text.size());
    const std::size_t next = std::min(text.find(kHuman, answer), text.size());
    const TokenIds turn = tokenizer.encode(text.substr(begin, next - begin), begin == 0);
    ids.insert(ids.end(), turn.begin(), turn.end());
    end(tokenizer, ids);
    begin = next;
  }
  return ids;
}

TokenIds ended_tokens(const Tokenizer& tokenizer, std::string_view text, std::size_t most) {
  TokenIds ids = tokenizer.encode(text, true);
  end(tokenizer, ids);
  if (ids.size() <= most) return ids;
  const TokenIds none = tokenizer.encode("", true);
  const auto text_begin = std::mismatch(ids.begin(), ids.end(), none.begin(), none.end()).first;
  const std::size_t in_front = std::min(static_cast<std::size_t>(text_begin - ids.begin()), most);
  const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(in_front);
  ids.erase(kept, kept + static_cast<std::ptrdiff_t>(ids.size() - most));
  return ids;
}

std::vector<TokenIds> token_windows(std::span<const TokenIds> documents, std::size_t length) {
  TokenIds all;
  for (const TokenIds& document : documents) all.insert(all.end(), document.begin(), document.end());
  std::vector<TokenIds> windows;
  for (std::size_t begin = 0; begin + 1 < all.size(); begin += length - 1) {
    const std::size_t last = std::min(begin + length, all.size());
    windows.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return windows;
}

}  // namespace paretofl
