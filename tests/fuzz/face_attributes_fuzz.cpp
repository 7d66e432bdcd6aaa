#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/data/xz_file.h"
#include "paretofl/images/face_attributes.h"

namespace {

constexpr std::size_t kMost = std::size_t{1} << 20;

void parse(std::span<const std::uint8_t> content) {
  const auto faces = paretofl::parse_packed_attributes(content, "input");
  if (faces.empty() || faces.size() * paretofl::kFaceAttributes != content.size() * 8) std::abort();
  for (const paretofl::FaceBits face : faces) {
    if (face >> paretofl::kFaceAttributes != 0) std::abort();
  }
}

}  // namespace

// Any bytes, as they are and decompressed, are either whole faces or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool packed : {false, true}) {
    try {
      if (!packed) {
        parse({data, size});
      } else {
        const auto content = paretofl::decompress_xz({data, size}, kMost, "input");
        if (content.size() > kMost) std::abort();
        parse(content);
      }
    } catch (const paretofl::Error& error) {
      if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    }
  }
  return 0;
}
