#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/objectives/point_file.h"

// Any text is either a set of at least one finite point or an Error of one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  try {
    const paretofl::PointSet points = paretofl::parse_points({reinterpret_cast<const char*>(data), size}, "input");
    if (points.size() == 0) std::abort();
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (const double value : points[i]) {
        if (!std::isfinite(value)) std::abort();
      }
    }
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
