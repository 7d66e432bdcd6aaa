#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paretofl {

/// GPT-2's alphabet (Radford et al. 2019): each of the 256 bytes as one printable character. Printable characters of
/// Latin-1 stand for themselves, the other bytes, in order, for U+0100 and up: a space is U+0120.
std::string to_byte_alphabet(std::string_view bytes);

/// The bytes of a text in that alphabet; nothing where a character is not of it.
std::optional<std::string> from_byte_alphabet(std::string_view text);

}  // namespace paretofl
