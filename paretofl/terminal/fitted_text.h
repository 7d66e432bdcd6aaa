#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paretofl {

/// A text whose lines are broken at spaces where they are longer than `width` columns, a byte being one. The rest of a line with a
/// description, behind a gap of two spaces or more in the first half of the width, begins below it. The rest of another line that is
/// indented is indented by four more. Lines that begin with "  paretofl " are commands to copy and stay as they are. A width of 0 changes
/// nothing.
std::string fitted_text(std::string_view text, std::size_t width);

/// The columns of the terminal that standard output is, or 0 where it is none.
std::size_t output_columns();

}  // namespace paretofl
