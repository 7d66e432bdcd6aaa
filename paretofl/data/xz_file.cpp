#include "paretofl/data/xz_file.h"

#include <lzma.h>

#include <memory>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 27;
constexpr std::size_t kPiece = std::size_t{1} << 16;

}  // namespace

std::vector<std::uint8_t> decompress_xz(std::span<const std::uint8_t> content, std::size_t most, const std::string& name) {
  lzma_stream stream = LZMA_STREAM_INIT;
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> guard(&stream, &lzma_end);
  expect(lzma_stream_decoder(&stream, kMaxMemory, LZMA_CONCATENATED) == LZMA_OK, "{}: expected memory to decompress it, found none", name);
  stream.next_in = content.data();
  stream.avail_in = content.size();
  std::vector<std::uint8_t> out;
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK) {
    const std::size_t size = out.size();
    out.resize(size + kPiece);
    stream.next_out = out.data() + size;
    stream.avail_out = kPiece;
    status = lzma_code(&stream, LZMA_FINISH);
    out.resize(out.size() - stream.avail_out);
    expect(out.size() <= most, "{}: expected at most {} bytes when decompressed, found more", name, most);
  }
  expect(status != LZMA_MEMLIMIT_ERROR, "{}: expected an .xz stream that takes at most {} bytes of memory to decompress, found {}", name,
         kMaxMemory, lzma_memusage(&stream));
  expect(status == LZMA_STREAM_END, "{}: expected intact .xz streams and nothing else, found damage (liblzma's code {})", name,
         static_cast<int>(status));
  return out;
}

}  // namespace paretofl
