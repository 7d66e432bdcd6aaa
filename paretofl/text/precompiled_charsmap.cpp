#include "paretofl/text/precompiled_charsmap.h"

#include <openssl/evp.h>
#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/text/utf8.h"

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

// The units of a double-array trie by the library Darts-clone.
bool has_leaf(std::uint32_t unit) { return (unit >> 8U & 1U) != 0; }
std::uint32_t value(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }
std::uint32_t label(std::uint32_t unit) { return unit & 0x800000FFU; }
std::uint32_t offset(std::uint32_t unit) { return unit >> 10U << ((unit & 0x200U) >> 6U); }

}  // namespace

PrecompiledCharsmap::PrecompiledCharsmap(const JsonObject& json) {
  const std::string bytes = from_base64(json.text("precompiled_charsmap"), json.where());
  std::uint32_t size = 0;
  expect(bytes.size() >= sizeof size, "{}: expected a map of characters, found {} bytes", json.where(), bytes.size());
  std::memcpy(&size, bytes.data(), sizeof size);
  expect(size % 4 == 0 && size <= bytes.size() - sizeof size, "{}: expected a trie of at most {} bytes, found {}", json.where(),
         bytes.size() - sizeof size, size);
  units_.resize(size / 4);
  std::memcpy(units_.data(), bytes.data() + sizeof size, size);
  replacements_ = bytes.substr(sizeof size + size);
}

/// The replacement of the shortest rule that a text begins with.
bool PrecompiledCharsmap::append_replacement(std::string_view text, std::string& result) const {
  if (units_.empty()) return false;
  std::size_t node = offset(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) return false;
    node ^= byte;
    if (node >= units_.size() || label(units_[node]) != byte) return false;
    const std::uint32_t unit = units_[node];
    node ^= offset(unit);
    if (!has_leaf(unit)) continue;
    const std::size_t start = node < units_.size() ? value(units_[node]) : replacements_.size();
    if (start >= replacements_.size()) return false;
    result += replacements_.c_str() + start;
    return true;
  }
  return false;
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
