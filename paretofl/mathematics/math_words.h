#pragma once

#include <optional>
#include <string_view>

namespace paretofl {

/// The spelling that stands for a LaTeX command (its name, without the backslash) with others: " " for spaces, an empty one
/// for what says nothing, such as \left. None for commands that stand for themselves.
std::optional<std::string_view> math_command(std::string_view name);
/// The same of a word in plain letters or as the argument of \text, such as sqrt or and.
std::optional<std::string_view> math_word(std::string_view word);
/// What a character that is not ASCII stands for, as LaTeX: a minus sign, a fraction, a raised digit.
std::optional<std::string_view> math_symbol(std::string_view character);

/// Whether a command's argument is words, as that of \text.
bool is_text_command(std::string_view name);
/// Whether a command's argument is mathematics in other letters, as that of \mathbf.
bool is_font_command(std::string_view name);
/// Whether a command and its argument only say how to show something, as \hspace{1cm}.
bool is_layout_command(std::string_view name);
/// Whether a command with its argument is one name, as \mathbb{R}.
bool is_alphabet_command(std::string_view name);
/// Whether an environment, with its braces, is a matrix in round, square or no brackets, or an array.
bool is_matrix(std::string_view environment);

/// Whether a token is one digit, or one letter in capitals.
inline bool is_digit_token(std::string_view token) { return token.size() == 1 && token[0] >= '0' && token[0] <= '9'; }
inline bool is_capital(std::string_view token) { return token.size() == 1 && token[0] >= 'A' && token[0] <= 'Z'; }
/// Whether a token is one variable: a letter, or a Greek one as a command (pi is none).
bool is_variable(std::string_view token);
/// Whether a command is a mark over or under its argument that makes it another thing, as \vec.
bool is_accent_command(std::string_view token);
/// Whether a command is a function of what follows, as \sin.
bool is_function_command(std::string_view token);

/// What a word multiplies by, such as million; none for others.
std::optional<std::string_view> number_word(std::string_view word);

}  // namespace paretofl
