#pragma once

#include <cstddef>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {

/// `count` of `population` > 0 prompts: distinct ones where there are enough, else with repetition.
inline std::vector<std::size_t> drawn_prompts(Random& random, std::size_t population, std::size_t count) {
  if (count <= population) return random.sample_without_replacement(population, count);
  std::vector<std::size_t> drawn;
  for (std::size_t b = 0; b < count; ++b) drawn.push_back(random.below(population));
  return drawn;
}

}  // namespace paretofl
