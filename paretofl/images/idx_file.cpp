#include "paretofl/images/idx_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "paretofl/core/error.h"
#include "paretofl/data/file_bytes.h"
#include "paretofl/files/whole_file.h"

namespace paretofl {
namespace {

constexpr std::uint8_t kUnsignedByte = 0x08;
constexpr std::size_t kMaxRank = 4;
// Deflate cannot compress better than 1032:1, so a header that claims more is wrong before anything is allocated.
constexpr std::size_t kMaxDeflateRatio = 1032;

bool is_gzip(std::span<const std::uint8_t> content) { return content.size() >= 2 && content[0] == 0x1f && content[1] == 0x8b; }

// Hands out a file's content in pieces, inflating it where it is compressed.
class Source {
 public:
  Source(std::span<const std::uint8_t> content, const std::string& name) : content_(content), name_(name), compressed_(is_gzip(content)) {
    if (!compressed_) return;
    stream_.next_in = const_cast<Bytef*>(content.data());  // zlib's interface is not const-correct; it does not write there
    stream_.avail_in = static_cast<uInt>(content.size());
    constexpr int kWindowBits = 15, kGzipOnly = 16;
    expect(inflateInit2(&stream_, kWindowBits + kGzipOnly) == Z_OK, "{}: no memory to decompress it", name_);
  }
  ~Source() {
    if (compressed_) inflateEnd(&stream_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::size_t most_left() const {
    return compressed_ ? stream_.avail_in * kMaxDeflateRatio + kMaxDeflateRatio : content_.size() - position_;
  }

  // Fills `out` as far as the content goes and returns how far.
  std::size_t read(std::span<std::uint8_t> out) {
    if (!compressed_) {
      const std::size_t count = std::min(out.size(), content_.size() - position_);
      std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
      position_ += count;
      return count;
    }
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    while (!ended_ && stream_.avail_out > 0) {
      const int status = inflate(&stream_, Z_NO_FLUSH);
      ended_ = status == Z_STREAM_END;
      if (ended_ && is_gzip({stream_.next_in, stream_.avail_in})) {  // a file may have several members
        ended_ = inflateReset(&stream_) != Z_OK;
        continue;
      }
      if (status == Z_BUF_ERROR) break;  // no input left
      expect(ended_ || status == Z_OK, "{}: expected an intact gzip stream, found damage ({})", name_, stream_.msg ? stream_.msg : "zlib");
    }
    return out.size() - stream_.avail_out;
  }

  // Throws unless the content ends here. For gzip this also checks the checksum at its end.
  void expect_end() {
    std::uint8_t extra = 0;
    expect(read({&extra, 1}) == 0, "{}: expected the file to end after the values its header announces, found more bytes", name_);
    if (!compressed_) return;
    expect(ended_, "{}: expected a complete gzip stream, found it truncated", name_);
    expect(stream_.avail_in == 0, "{}: expected nothing after the gzip stream, found {} more bytes", name_, stream_.avail_in);
  }

 private:
  std::span<const std::uint8_t> content_;
  const std::string& name_;
  bool compressed_;
  bool ended_ = false;
  std::size_t position_ = 0;
  z_stream stream_{};
};

}  // namespace

IdxFile parse_idx(std::span<const std::uint8_t> content, std::size_t rank, const std::string& name) {
  expect(rank >= 1 && rank <= kMaxRank, "{}: expected a rank of 1 to {}, found {}", name, kMaxRank, rank);
  expect(content.size() <= kMaxIdxBytes, "{}: expected at most {} bytes, found {}", name, kMaxIdxBytes, content.size());
  Source source(content, name);
  std::array<std::uint8_t, 4 + 4 * kMaxRank> header{};
  const auto magic = std::span(header).first(4);
  expect(source.read(magic) == 4, "{}: expected an IDX header, found a file of less than 4 bytes", name);
  expect(magic[0] == 0 && magic[1] == 0 && magic[2] == kUnsignedByte,
         "{}: expected an IDX file of unsigned bytes (first bytes 00 00 08), found {:02x} {:02x} {:02x}", name, magic[0], magic[1],
         magic[2]);
  expect(magic[3] == rank, "{}: expected {} dimensions, found {}", name, rank, magic[3]);

  const auto sizes = std::span(header).subspan(4, 4 * rank);
  expect(source.read(sizes) == sizes.size(), "{}: expected {} dimensions' sizes, found the file truncated", name, rank);
  IdxFile file;
  std::size_t total = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t size =
        std::size_t{sizes[4 * i]} << 24 | std::size_t{sizes[4 * i + 1]} << 16 | std::size_t{sizes[4 * i + 2]} << 8 | sizes[4 * i + 3];
    expect(size > 0, "{}: expected positive sizes, found 0 in dimension {}", name, i);
    total *= size;  // both factors are below 2^32
    expect(total <= kMaxIdxBytes, "{}: expected sizes that make at most {} values, found more", name, kMaxIdxBytes);
    file.shape.push_back(size);
  }
  expect(total <= source.most_left(), "{}: expected {} values, found the file truncated", name, total);
  file.values.resize(total);
  const std::size_t found = source.read(file.values);
  expect(found == total, "{}: expected {} values, found the file truncated after {}", name, total, found);
  source.expect_end();
  return file;
}

IdxFile read_idx(const std::filesystem::path& file, std::size_t rank) {
  return parse_idx(read_bytes(file, kMaxIdxBytes), rank, file.string());
}

void write_idx(const std::filesystem::path& file, const IdxFile& content) {
  expect(content.values.size() <= kMaxIdxBytes, "{}: expected at most {} values to write, found {}", file.string(), kMaxIdxBytes,
         content.values.size());
  std::string header{'\0', '\0', static_cast<char>(kUnsignedByte), static_cast<char>(content.shape.size())};
  for (const std::size_t size : content.shape) {
    for (const int shift : {24, 16, 8, 0}) header += static_cast<char>(size >> shift & 0xff);
  }
  write_whole_file(file, [&](std::ostream& stream) {
    stream << header;
    stream.write(reinterpret_cast<const char*>(content.values.data()), static_cast<std::streamsize>(content.values.size()));
  });
}

}  // namespace paretofl
