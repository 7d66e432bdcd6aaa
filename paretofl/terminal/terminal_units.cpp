#include "paretofl/terminal/terminal_units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace paretofl {

std::string terminal_bytes(double bytes) {
  static constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2, kUnits[unit]);
}

std::string terminal_seconds(double seconds) { return std::isfinite(seconds) ? fmt::format("{:.1f} s", seconds) : "-"; }

}  // namespace paretofl
