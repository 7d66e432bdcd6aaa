#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/images/celeba_lists.h"

namespace {

// Runs `parse`, whose Error must be of one line.
template <class Parse>
void try_to(const Parse& parse) {
  try {
    parse();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

}  // namespace

// Any text is either images with rising numbers and 40 attributes or an Error of one line; the same for their parts.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to([&] {
    const auto images = paretofl::parse_celeba_attributes(text, "input");
    if (images.empty()) std::abort();
    std::uint32_t last = 0;
    for (const auto& image : images) {
      if (image.number <= last || image.file_name().size() != 10 || image.attributes >> paretofl::kFaceAttributes != 0) std::abort();
      last = image.number;
    }
  });
  try_to([&] {
    std::vector<paretofl::CelebaImage> images(3);
    for (std::uint32_t i = 0; i < 3; ++i) images[i].number = i + 1;
    paretofl::parse_celeba_partition(text, "input", images);
    for (const auto& image : images) {
      if (image.part > paretofl::CelebaPart::kTest) std::abort();
    }
  });
  return 0;
}
