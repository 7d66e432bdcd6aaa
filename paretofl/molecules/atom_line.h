#pragma once

#include <span>
#include <string_view>

#include "paretofl/data/text_lines.h"
#include "paretofl/molecules/molecule.h"

namespace paretofl {

/// The atom that the first four of a line's words give: ELEMENT x y z. Throws Error naming the line unless the element is one
/// of elements().
Atom read_atom(const TextLines& lines, std::span<const std::string_view> words);

}  // namespace paretofl
