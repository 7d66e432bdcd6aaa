#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// The length of the letter that begins there, 0 for anything else; letters of any script are letters, but no symbols.
std::size_t letter_at(std::string_view text, std::size_t at);

/// The words of a text, English ones in lower case, but no LaTeX commands.
std::vector<std::string> lower_words_of(std::string_view text);

/// Whether a list of words has this one.
template <typename List>
bool is_among(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool has_word(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted);

}  // namespace paretofl
