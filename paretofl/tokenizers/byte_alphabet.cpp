#include "paretofl/tokenizers/byte_alphabet.h"

#include <array>

#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

constexpr char32_t kEnd = 0x100 + 68;  // 68 bytes are not printable

struct Alphabet {
  std::array<std::string, 256> character;
  std::array<int, kEnd> byte{};

  Alphabet() {
    byte.fill(-1);
    char32_t next = 0x100;
    for (int b = 0; b < 256; ++b) {
      const bool printable = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
      const char32_t code = printable ? static_cast<char32_t>(b) : next++;
      append_utf8(character[static_cast<std::size_t>(b)], code);
      byte[code] = b;
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet kAlphabet;
  return kAlphabet;
}

}  // namespace

std::string to_byte_alphabet(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) text += alphabet().character[static_cast<unsigned char>(byte)];
  return text;
}

std::optional<std::string> from_byte_alphabet(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const char32_t code = size == 0 ? kEnd : code_point(text.substr(0, size));
    if (code >= kEnd || alphabet().byte[code] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(alphabet().byte[code]));
    text.remove_prefix(size);
  }
  return bytes;
}

}  // namespace paretofl
