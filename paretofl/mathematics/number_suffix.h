#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace paretofl {

/// Bytes of the ending that makes an ordinal of the digits before it, at the beginning of a text: st, nd, rd and th, plain, in
/// \text or raised. 0 where there is none, or another than the digits have: 2th.
std::size_t ordinal_size(std::string_view digits, std::string_view text);

/// Bytes of a number in the notation of programs that a text begins with: 0x1F, 0b101, 0o17. 0 where there is none.
std::size_t program_number_size(std::string_view text);

/// The digits of a word for the base of a number system: 2 of two. None for any other word.
std::optional<std::string_view> base_digits(std::string_view word);

}  // namespace paretofl
