#pragma once

#include <string_view>

namespace paretofl {

/// A regression target and its unit.
struct Target {
  std::string_view name;
  std::string_view unit;  ///< empty for a pure number
};

}  // namespace paretofl
