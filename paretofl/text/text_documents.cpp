#include "paretofl/text/text_documents.h"

#include <algorithm>

namespace paretofl {
namespace {

/// With line feeds alone as line ends, nothing in blank lines, and no byte order mark.
std::string with_plain_lines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string plain;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) plain += line;
    if (end == std::string_view::npos) break;
    plain += '\n';
    begin = end + 1;
  }
  return plain;
}

}  // namespace

std::vector<std::string> text_documents(std::string_view written) {
  const std::string plain = with_plain_lines(written);
  const std::string_view text = plain;
  std::vector<std::string> documents;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    if (end > begin) documents.emplace_back(text.substr(begin, end - begin));
    begin = std::min(text.find_first_not_of('\n', end), text.size());
  }
  return documents;
}

}  // namespace paretofl
