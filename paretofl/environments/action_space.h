#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {

/// The legal actions: one of the integers 0 .. choices - 1, as a double, or A real numbers.
struct ActionSpace {
  std::int64_t choices = 0;  ///< of a discrete space; 0 for a box
  std::vector<double> low;   ///< [A] of a box
  std::vector<double> high;  ///< [A] of a box

  bool discrete() const { return choices > 0; }
  std::size_t size() const { return discrete() ? 1 : low.size(); }  ///< A, numbers per action

  /// Throws Error naming `environment` unless there are A numbers: an integer in range, or for a box finite ones.
  /// Numbers beyond the bounds of a box are clipped by the environment.
  void check(std::span<const double> action, std::string_view environment) const;
  /// A uniform draw [A].
  void sample(Random& random, std::span<double> action) const;
};

}  // namespace paretofl
