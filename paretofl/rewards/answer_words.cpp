#include "paretofl/rewards/answer_words.h"

#include <algorithm>

#include "paretofl/core/ascii.h"

namespace paretofl {

std::size_t letter_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (is_letter(text[at])) return 1;
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0xc3 || first == 0xe2 || first == 0xef || text.substr(at).starts_with("\xe3\x80")) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return end - at;
}

std::vector<std::string> lower_words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const bool command = text[at] == '\\';
    if (command) ++at;
    std::string word;
    for (std::size_t size = letter_at(text, at); size > 0; size = letter_at(text, at)) {
      word += size == 1 ? std::string(1, static_cast<char>(text[at] | 0x20)) : std::string(text.substr(at, size));
      at += size;
    }
    if (word.empty() && !command) ++at;
    if (!word.empty() && !command) words.push_back(word);
  }
  return words;
}

bool has_word(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return std::find(wanted.begin(), wanted.end(), word) != wanted.end(); });
}

}  // namespace paretofl
