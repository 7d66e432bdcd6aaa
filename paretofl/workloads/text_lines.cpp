#include "paretofl/workloads/text_lines.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;
constexpr std::string_view kBlanks = " \t\r";

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  std::error_code failure;
  expect(std::filesystem::is_regular_file(file, failure), "{}: expected a file, found {}", file.string(),
         failure ? failure.message() : "something else");
  // gzread hands plain files through as they are.
  const std::unique_ptr<gzFile_s, decltype(&gzclose_r)> stream(gzopen(file.c_str(), "rb"), &gzclose_r);
  expect(stream != nullptr, "{}: expected a readable file, found it cannot be opened", file.string());
  std::string text;
  constexpr unsigned kPiece = 1U << 20;
  for (;;) {
    const std::size_t size = text.size();
    expect(size <= kMaxTextBytes, "{}: expected at most {} bytes of text, found more", file.string(), kMaxTextBytes);
    text.resize(size + kPiece);
    const int count = gzread(stream.get(), text.data() + size, kPiece);
    int status = Z_OK;
    const char* message = gzerror(stream.get(), &status);
    expect(count >= 0 && (status == Z_OK || status == Z_STREAM_END), "{}: expected an intact file, found damage ({})", file.string(),
           message);
    text.resize(size + static_cast<std::size_t>(count));
    if (count == 0) return text;
  }
}

std::string shown(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
  return text;
}

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
