#include "paretofl/tokenizers/sentencepiece_normalizer.h"

#include "paretofl/core/utf8.h"

namespace paretofl {

SentencePieceNormalizer::SentencePieceNormalizer(SentencePieceNormalization settings, PrefixTrie whole)
    : settings_(std::move(settings)), whole_(std::move(whole)) {}

/// What replaces the beginning of a text that is not empty.
CharsmapRule SentencePieceNormalizer::first(std::string_view text) const {
  if (const std::size_t whole = whole_.longest(text)) return {whole, text.substr(0, whole)};
  if (const auto rule = settings_.rules.longest(text)) return *rule;
  return {first_size(text), text.substr(0, first_size(text))};
}

std::string SentencePieceNormalizer::normalize(std::string_view text, bool prefix) const {
  const std::string_view space = this->space();
  const bool removes = settings_.remove_extra_whitespaces;
  while (removes && !text.empty() && first(text).replacement == " ") text.remove_prefix(first(text).size);
  std::string result;
  if (text.empty()) return result;
  if (prefix && settings_.add_dummy_prefix && !settings_.space_as_suffix) result += space;
  bool after_space = removes;
  while (!text.empty()) {
    auto [size, replacement] = first(text);
    text.remove_prefix(size);
    while (after_space && replacement.starts_with(' ')) replacement.remove_prefix(1);
    for (const char c : replacement) {
      if (c == ' ') {
        result += space;
      } else {
        result += c;
      }
    }
    if (!replacement.empty()) after_space = removes && replacement.ends_with(' ');
  }
  while (removes && result.ends_with(space)) result.resize(result.size() - space.size());
  if (prefix && settings_.add_dummy_prefix && settings_.space_as_suffix) result += space;
  return result;
}

}  // namespace paretofl
