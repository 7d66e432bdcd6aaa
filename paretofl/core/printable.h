#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// A text as a terminal may show it, in one line: control characters (also those beyond ASCII), marks that reverse the
/// direction of writing, separators of lines and bytes that are not UTF-8 are spelt out, as \n, \x1b, \u202e or \xff.
std::string printable(std::string_view text);

/// A JSON text, which is UTF-8, with the same characters as \uXXXX where a serializer left them; it means the same.
std::string printable_json(std::string text);

}  // namespace paretofl
