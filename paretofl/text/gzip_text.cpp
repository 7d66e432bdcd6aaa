#include "paretofl/text/gzip_text.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// zlib's state while a file is inflated.
class Inflater {
 public:
  explicit Inflater(const std::string& name) {
    constexpr int kWindowBits = 15;
    constexpr int kGzipOnly = 16;
    expect(inflateInit2(&stream_, kWindowBits + kGzipOnly) == Z_OK, "{}: expected memory to read it, found none", name);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

}  // namespace

bool is_gzip(std::string_view content) { return content.starts_with("\x1f\x8b"); }

std::string gunzipped(std::string_view content, const std::string& name, std::size_t most) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  expect(content.size() <= std::numeric_limits<uInt>::max(), "{}: expected at most {} bytes, found more", name,
         std::numeric_limits<uInt>::max());
  Inflater inflater(name);
  z_stream& stream = inflater.stream();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));  // zlib's interface is not const-correct
  stream.avail_in = static_cast<uInt>(content.size());
  std::string text;
  for (bool ended = false; !ended;) {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + size);
    stream.avail_out = static_cast<uInt>(kPiece);
    const int status = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
    expect(text.size() <= most, "{}: expected at most {} bytes of text, found more", name, most);
    if (status == Z_STREAM_END) {
      const std::string_view rest = content.substr(content.size() - stream.avail_in);
      ended = !is_gzip(rest);
      expect(!ended || rest.find_first_not_of('\0') == std::string_view::npos,
             "{}: expected nothing behind the gzip stream, found {} bytes", name, rest.size());
      if (!ended) inflateReset(&stream);
      continue;
    }
    const bool cut = stream.avail_in == 0 && (status == Z_BUF_ERROR || (status == Z_OK && text.size() < size + kPiece));
    expect(!cut, "{}: expected an intact file, found damage (unexpected end of file)", name);
    expect(status == Z_OK, "{}: expected an intact file, found damage ({})", name,
           stream.msg != nullptr   ? stream.msg
           : status == Z_MEM_ERROR ? "out of memory"
                                   : "zlib");
  }
  return text;
}

}  // namespace paretofl
