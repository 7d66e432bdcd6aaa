#include "paretofl/tokenizers/precompiled_charsmap.h"

#include <openssl/evp.h>
#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

std::string from_base64(const std::string& text, const std::string& where) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  expect(text.size() % 4 == 0 && size >= 0, "{}: expected base64, found something else", where);
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

}  // namespace

PrecompiledCharsmap::PrecompiledCharsmap(const JsonObject& json)
    : rules_(from_base64(json.text("precompiled_charsmap"), json.where()), json.where()) {}

bool PrecompiledCharsmap::append_replacement(std::string_view text, std::string& result) const {
  const std::optional<CharsmapRule> rule = rules_.shortest(text);
  if (rule) result += rule->replacement;
  return rule.has_value();
}

std::string PrecompiledCharsmap::normalize(std::string_view text) const {
  return map_utf8(text, [&](std::string_view part) { return normalize_valid(part); });
}

std::string PrecompiledCharsmap::normalize_valid(std::string_view text) const {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> graphemes(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  const std::unique_ptr<UText, decltype(&utext_close)> view(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status), &utext_close);
  expect(U_SUCCESS(status), "normalizer: expected ICU's data of graphemes, found {}", u_errorName(status));
  graphemes->setText(view.get(), status);
  expect(U_SUCCESS(status), "normalizer: expected a text of graphemes, found {}", u_errorName(status));
  std::string result;
  std::int32_t begin = 0;
  for (std::int32_t end = graphemes->next(); end != icu::BreakIterator::DONE; begin = end, end = graphemes->next()) {
    std::string_view grapheme = text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    if (grapheme.size() < 6 && append_replacement(grapheme, result)) continue;
    while (!grapheme.empty()) {
      const std::string_view character = grapheme.substr(0, first_size(grapheme));
      if (!append_replacement(character, result)) result += character;
      grapheme.remove_prefix(character.size());
    }
  }
  return result;
}

}  // namespace paretofl
