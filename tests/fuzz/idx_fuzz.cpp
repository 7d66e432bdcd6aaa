#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/images/idx_file.h"

// Any bytes are either a whole IDX file or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const std::size_t rank : {1, 2, 3, 4}) {
    try {
      const paretofl::IdxFile file = paretofl::parse_idx({data, size}, rank, "input");
      std::size_t count = 1;
      for (const std::size_t extent : file.shape) count *= extent;
      if (file.shape.size() != rank || count == 0 || count != file.values.size()) std::abort();
    } catch (const paretofl::Error& error) {
      if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    }
  }
  return 0;
}
