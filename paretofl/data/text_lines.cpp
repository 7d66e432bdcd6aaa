#include "paretofl/data/text_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::string_view kBlanks = " \t\r";

}  // namespace

bool TextLines::only_blanks_left() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

const std::vector<std::string_view>& TextLines::next(std::string_view what) {
  ++line_;
  expect(!at_end(), "{}: expected {}, found the end of the file", where(), what);
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  words_.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t after = std::min(line.find_first_of(kBlanks, at), line.size());
    words_.push_back(line.substr(at, after - at));
    at = line.find_first_not_of(kBlanks, after);
  }
  return words_;
}

std::string TextLines::where() const { return fmt::format("{}:{}", name_, line_); }

double TextLines::real(std::string_view word) const {
  std::string plain(word);
  if (const std::size_t star = plain.find("*^"); star != std::string::npos) plain.replace(star, 2, "e");
  double value = 0;
  const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  expect(status == std::errc() && end == plain.data() + plain.size() && std::isfinite(value), "{}: expected a number, found '{}'", where(),
         shown(word));
  return value;
}

std::uint32_t TextLines::count(std::string_view word, std::uint32_t most) const {
  std::uint32_t value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  expect(status == std::errc() && end == word.data() + word.size() && value >= 1 && value <= most,
         "{}: expected a number from 1 to {}, found '{}'", where(), most, shown(word));
  return value;
}

}  // namespace paretofl
