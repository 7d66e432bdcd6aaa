#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// A text with one spelling for what has several: digits, minus signs, vulgar fractions, superscripts, currencies, separators
/// of thousands and LaTeX's commands for these.
std::string one_spelling(std::string_view text);

}  // namespace paretofl
