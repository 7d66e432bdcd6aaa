#pragma once

#include <cstddef>
#include <string_view>

namespace paretofl {

/// Whether a character is white space, as LaTeX's ~ is.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '~'; }

/// Bytes of the number with its digits in groups of three that begins at a place in a text; 0 if there is none. Groups
/// are parted by spaces, {,} or ,\! (1\,234, 1{,}234), or by plain commas, 1,234,567. Within brackets, where (100,200) is a
/// pair, plain commas part groups only if one begins with 0, (1,000), or if the brackets' other commas have spaces behind
/// them, (1,234, 5).
std::size_t grouped_number_size(std::string_view text, std::size_t begin);

/// Bytes of {,} with spaces in whatever place, which a text begins with; 0 if it begins otherwise.
std::size_t braced_comma(std::string_view text);

}  // namespace paretofl
