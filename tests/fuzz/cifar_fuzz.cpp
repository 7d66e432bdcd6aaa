#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/images/cifar_file.h"

// Any bytes are either whole CIFAR-10 records with labels in range or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  paretofl::ImageDataset images = paretofl::empty_cifar("input");
  try {
    paretofl::append_cifar_records({data, size}, "input", images);
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return 0;
  }
  images.check("input");
  if (images.count == 0 || images.pixels.size() + images.labels[0].size() != size) std::abort();
  return 0;
}
