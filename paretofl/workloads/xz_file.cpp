#include "paretofl/workloads/xz_file.h"

#include <lzma.h>

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 27;

}  // namespace

std::vector<std::uint8_t> decompress_xz(std::span<const std::uint8_t> content, std::size_t most, const std::string& name) {
  std::uint64_t memory = kMaxMemory;
  std::vector<std::uint8_t> out;
  lzma_ret status = LZMA_BUF_ERROR;
  std::size_t in_position = 0;
  std::size_t out_position = 0;
  // One call for all of it; with too little room it starts over with twice as much.
  for (std::size_t room = std::size_t{1} << 16; status == LZMA_BUF_ERROR; room *= 2) {
    out.resize(std::min(room, most));
    in_position = out_position = 0;
    status =
        lzma_stream_buffer_decode(&memory, 0, nullptr, content.data(), &in_position, content.size(), out.data(), &out_position, out.size());
    expect(status != LZMA_BUF_ERROR || out.size() < most, "{}: expected at most {} bytes when decompressed, found more", name, most);
  }
  expect(status != LZMA_MEMLIMIT_ERROR, "{}: expected an .xz stream that takes at most {} bytes of memory to decompress, found {}", name,
         kMaxMemory, memory);
  expect(status == LZMA_OK && in_position == content.size(), "{}: expected one intact .xz stream, found damage (liblzma's code {})", name,
         static_cast<int>(status));
  out.resize(out_position);
  return out;
}

}  // namespace paretofl
