#include "paretofl/core/utf8.h"

#include <algorithm>

namespace paretofl {
std::size_t utf8_size(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !follows(1)) return 0;
  if (lead < 0xE0) return 2;
  if (!follows(2)) return 0;
  if (lead < 0xF0) return (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ? 0 : 3;
  return !follows(3) || (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F) ? 0 : 4;
}

std::size_t first_size(std::string_view text) { return std::max<std::size_t>(utf8_size(text), 1); }

std::size_t last_size(std::string_view text) {
  for (std::size_t size = 1; size <= std::min<std::size_t>(4, text.size()); ++size) {
    if (utf8_size(text.substr(text.size() - size)) == size) return size;
  }
  return 1;
}

char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6U | (byte(i) & 0x3FU);
  return code;
}

void append_utf8(std::string& text, char32_t code) {
  const auto follow = [&](unsigned shift) { text.push_back(static_cast<char>(0x80U | (code >> shift & 0x3FU))); };
  if (code < 0x80) {
    text.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    text.push_back(static_cast<char>(0xC0U | code >> 6U));
    follow(0);
  } else if (code < 0x10000) {
    text.push_back(static_cast<char>(0xE0U | code >> 12U));
    follow(6);
    follow(0);
  } else {
    text.push_back(static_cast<char>(0xF0U | code >> 18U));
    follow(12);
    follow(6);
    follow(0);
  }
}

std::size_t valid_prefix(std::string_view text) {
  std::size_t at = 0;
  while (const std::size_t size = utf8_size(text.substr(at))) at += size;
  return at;
}

bool is_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string map_utf8(std::string_view text, const std::function<std::string(std::string_view)>& change) {
  std::string result;
  while (!text.empty()) {
    const std::size_t valid = valid_prefix(text);
    if (valid != 0) result += change(text.substr(0, valid));
    text.remove_prefix(valid);
    if (text.empty()) break;
    result.push_back(text.front());
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace paretofl
