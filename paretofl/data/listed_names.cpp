#include "paretofl/data/listed_names.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

std::vector<std::string> listed_names(std::string_view what, std::string_view text, char separator) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    names.emplace_back(text.substr(begin, end - begin));
    expect(!names.back().empty(), "{}: expected names separated by '{}', found '{}'", what, separator, text);
    begin = end + 1;
  }
  return names;
}

}  // namespace paretofl
