#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace paretofl {

/// A column of a table for the terminal.
struct TextColumn {
  std::string title;
  std::vector<std::string> cells;  ///< UTF-8
  bool left_aligned = false;
  int keep = 0;  ///< where the table is too wide, the columns with the lowest `keep` go first; kAlways stay

  static constexpr int kAlways = 100;
};

/// The table's lines: title, then the rows, each ended by a newline. A first column that is still too wide
/// is cut, its cells then end in "…".
std::string text_table(std::vector<TextColumn> columns, std::size_t width);

/// The characters of a UTF-8 text, each counted as one column of the terminal.
std::size_t display_width(const std::string& text);

}  // namespace paretofl
