#include "paretofl/text/text_file.h"

#include <zlib.h>

#include <algorithm>
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/files/input_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  InputFile input(file);
  // gzread hands plain files through as they are.
  const std::unique_ptr<gzFile_s, decltype(&gzclose_r)> stream(gzdopen(input.descriptor(), "rb"), &gzclose_r);
  expect(stream != nullptr, "{}: expected memory to read it, found none", file.string());
  input.release();  // the stream closes it
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
    if (count == 0) break;
  }
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
