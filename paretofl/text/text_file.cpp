#include "paretofl/text/text_file.h"

#include <algorithm>
#include <span>

#include "paretofl/files/data_ledger.h"
#include "paretofl/files/input_file.h"
#include "paretofl/text/gzip_text.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  std::string text = read_file(file, kMaxTextBytes);
  if (is_gzip(text)) text = gunzipped(text, file.string(), kMaxTextBytes);
  DataLedger::note(file, std::as_bytes(std::span(text)));
  return text;
}

std::string shown(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
  return text;
}

void for_each_line(std::string_view text, const std::function<void(std::string_view line, std::size_t number)>& take) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace paretofl
