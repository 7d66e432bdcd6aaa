#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "paretofl/objectives/direction.h"

namespace paretofl {

/// A point of a scatter plot for the terminal.
struct ScatterPoint {
  double x;
  double y;
  char mark;
  bool on_front = false;
};

struct ScatterOptions {
  std::string x_name;
  std::string y_name;
  Direction direction = Direction::kMaximize;  ///< of both objectives
  std::size_t width = 80;                      ///< characters, axis and its numbers included
  std::size_t height = 16;                     ///< rows of the plot
};

/// The plot in box-drawing characters, with a dotted line along the front. Points in one place stand side
/// by side; beyond five they become '#'. Expects finite points, one at least.
std::string text_scatter(const std::vector<ScatterPoint>& points, const ScatterOptions& options);

}  // namespace paretofl
