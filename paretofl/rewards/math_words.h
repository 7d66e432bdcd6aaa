#pragma once

#include <optional>
#include <string_view>

namespace paretofl {

/// The token that a LaTeX command (its name, without the backslash) is another spelling of: " " for spaces, an empty one for
/// what says nothing, such as \left. None for commands that stand for themselves.
std::optional<std::string_view> math_command(std::string_view name);
/// The same of a word in plain letters, such as sqrt or and.
std::optional<std::string_view> math_word(std::string_view word);
/// The same of a character that is not ASCII, such as a minus sign.
std::optional<std::string_view> math_symbol(std::string_view character);

/// Whether a command's argument is words, as that of \text.
bool is_text_command(std::string_view name);
/// Whether an environment, with its braces, is a matrix in round, square or no brackets, or an array.
bool is_matrix(std::string_view environment);
/// Whether a word of up to three letters, or one that often follows its number without a space, is a unit.
bool is_short_unit(std::string_view word);

/// Whether a token is one variable: a letter, or a Greek one as a command (pi is none).
bool is_variable(std::string_view token);

}  // namespace paretofl
