#include "paretofl/alignment/token_pair.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

std::size_t common_beginning(const TokenIds& a, const TokenIds& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

TokenPair encode_pair(const Tokenizer& tokenizer, std::string_view prompt, std::string_view chosen, std::string_view rejected,
                      const PairEncoding& encoding, const std::string& where) {
  const auto ids_of = [&](std::string_view completion) {
    return tokenizer.encode(std::string(prompt) + std::string(completion), encoding.add_special);
  };
  const TokenIds asked = ids_of("");
  TokenIds preferred = ids_of(chosen);
  TokenIds other = ids_of(rejected);
  const std::size_t prompt_length = std::min(common_beginning(asked, preferred), common_beginning(asked, other));
  expect(prompt_length > 0, "{}: expected a prompt of at least one token, found none", where);
  const auto sequence = [&](TokenIds ids) {
    if (encoding.end && (ids.size() == prompt_length || ids.back() != *encoding.end)) ids.push_back(*encoding.end);
    expect(ids.size() > prompt_length, "{}: expected completions of at least one token, found an empty one", where);
    ids.resize(std::min(ids.size(), prompt_length + encoding.max_completion));
    return TokenSequence{std::move(ids), 0};
  };
  TokenPair pair{sequence(std::move(preferred)), sequence(std::move(other))};
  for (TokenSequence* one : {&pair.chosen, &pair.rejected}) one->completion_length = one->ids.size() - prompt_length;
  return pair;
}

}  // namespace paretofl
