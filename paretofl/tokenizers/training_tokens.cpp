#include "paretofl/tokenizers/training_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "paretofl/core/error.h"

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

TokenIds ended_tokens(const Tokenizer& tokenizer, std::string_view text, std::size_t most, bool append_end) {
  TokenIds ids = tokenizer.encode(text, true);
  if (append_end) end(tokenizer, ids);
  if (ids.size() <= most) return ids;
  const TokenIds none = tokenizer.encode("", true);
  const auto text_begin = std::mismatch(ids.begin(), ids.end(), none.begin(), none.end()).first;
  const std::size_t in_front = std::min(static_cast<std::size_t>(text_begin - ids.begin()), most);
  const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(in_front);
  ids.erase(kept, kept + static_cast<std::ptrdiff_t>(ids.size() - most));
  return ids;
}

TokenIds pair_tokens(const Tokenizer& tokenizer, std::string_view first, std::string_view second, std::size_t most) {
  const PairIds around = tokenizer.around_pair();
  const std::size_t special = around.before.size() + around.between.size() + around.after.size();
  expect(special <= most, "pair: expected room for {} special tokens, found {} positions", special, most);
  std::array<TokenIds, 2> texts{tokenizer.encode(first, false), tokenizer.encode(second, false)};
  TokenIds& shorter = texts[0].size() <= texts[1].size() ? texts[0] : texts[1];
  TokenIds& longer = &shorter == &texts[0] ? texts[1] : texts[0];
  const std::size_t room = most - special;
  if (shorter.size() + longer.size() > room) {
    longer.resize(std::min(longer.size(), std::max(shorter.size(), room - std::min(room, shorter.size()))));
    if (shorter.size() + longer.size() > room) {
      shorter.resize(room / 2);
      longer.resize(room - room / 2);
    }
  }
  TokenIds ids = around.before;
  for (const TokenIds* part : {&std::as_const(texts[0]), &around.between, &std::as_const(texts[1]), &around.after}) {
    ids.insert(ids.end(), part->begin(), part->end());
  }
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
