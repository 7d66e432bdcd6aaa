#include "paretofl/text/text_documents.h"

#include <algorithm>

namespace paretofl {

std::vector<std::string> text_documents(std::string_view text) {
  std::vector<std::string> documents;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    if (end > begin) documents.emplace_back(text.substr(begin, end - begin));
    begin = std::min(text.find_first_not_of('\n', end), text.size());
  }
  return documents;
}

}  // namespace paretofl
