#include "paretofl/text/words.h"

#include <algorithm>

namespace paretofl {

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t after = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, after - at));
    at = text.find_first_not_of(kBlanks, after);
  }
  return words;
}

}  // namespace paretofl
