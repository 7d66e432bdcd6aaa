#pragma once

#include <vector>

#include "paretofl/text/dimension_pairs.h"

namespace paretofl {

/// For each of the built-in prompts (prompt_set.h) a pair in the dimension `brief`, whose chosen answer is short, and one in the dimension
/// `polite`, whose chosen answer begins with thanks. In three quarters of them the two answers differ in this alone; in the others the
/// brief answer is rude and the polite one long, so that what one dimension prefers the other rejects. Needs no file.
std::vector<DimensionPair> built_in_pairs();

}  // namespace paretofl
