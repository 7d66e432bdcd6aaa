#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/molecules/geometry_targets.h"

// Any text is either geometries with finite targets or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& geometry : paretofl::parse_geometries({reinterpret_cast<const char*>(data), size}, "input")) {
      for (const double x : paretofl::geometry_targets(geometry, paretofl::BondTable(geometry.molecule))) {
        if (!std::isfinite(x)) std::abort();
      }
    }
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
