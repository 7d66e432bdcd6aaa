#include "paretofl/registry/option_range.h"

#include <fmt/format.h>

#include "paretofl/registry/options.h"

namespace paretofl {

std::string range_text(double low, double high) {
  if (low == -kInfinity && high == kInfinity) return "";
  if (high == kInfinity) return fmt::format(">= {}", low);
  if (low == -kInfinity) return fmt::format("<= {}", high);
  return fmt::format("{} to {}", low, high);
}

std::string range_text(std::int64_t low, std::int64_t high) {
  return high == kMaxInt ? fmt::format(">= {}", low) : fmt::format("{} to {}", low, high);
}

}  // namespace paretofl
