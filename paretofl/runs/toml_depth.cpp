#include "paretofl/runs/toml_depth.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxNested = 16;

/// The end of the text or comment that begins at `at`; `at` itself where none does.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '#') return std::min(text.find('\n', at), text.size());
  if (quote != '"' && quote != '\'') return at;
  const std::string closing = text.substr(at).starts_with(std::string(3, quote)) ? std::string(3, quote) : std::string(1, quote);
  for (std::size_t i = at + closing.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == '\n' && closing.size() == 1) {
      return i;  // no TOML: a parser stops here
    } else if (text.substr(i).starts_with(closing)) {
      return i + closing.size();
    }
  }
  return text.size();
}

}  // namespace

void expect_shallow_toml(std::string_view text, const std::string& name) {
  std::size_t parts = 1, nested = 0, line = 1;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t end = end_of_quoted(text, i); end > i) {
      line += static_cast<std::size_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(i), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
      continue;
    }
    const char c = text[i++];
    if (c == '.') ++parts;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) parts = 1;
    if (c == '[' || c == '{') ++nested;
    if ((c == ']' || c == '}') && nested > 0) --nested;
    if (c == '\n') ++line;
    expect(parts <= kMaxKeyParts, "{}:{}: expected keys of at most {} parts, found more", name, line, kMaxKeyParts);
    expect(nested <= kMaxNested, "{}:{}: expected lists and tables at most {} levels deep, found more", name, line, kMaxNested);
  }
}

}  // namespace paretofl
