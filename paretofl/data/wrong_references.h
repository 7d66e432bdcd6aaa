#pragma once

#include <span>

#include "paretofl/core/random.h"
#include "paretofl/data/prompt_set.h"

namespace paretofl {

/// Makes references wrong, as in data of poor quality: a share of the prompts in [0, 1], rounded to the nearest number of prompts and drawn
/// without replacement, pass their references on in a circle, so that each has another one's. Where two neighbours in the circle have the
/// same reference, it stays right.
void mix_references(std::span<Prompt> prompts, double share, Random random);

}  // namespace paretofl
