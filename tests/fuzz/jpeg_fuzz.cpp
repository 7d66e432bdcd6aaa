#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/images/jpeg_file.h"

// Any bytes are either an image of a size in range or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const paretofl::JpegImage image = paretofl::decode_jpeg({data, size}, "input");
    if (image.height == 0 || image.height > paretofl::kMaxJpegSide || image.width == 0 || image.width > paretofl::kMaxJpegSide)
      std::abort();
    if (image.pixels.size() != 3 * image.height * image.width) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
