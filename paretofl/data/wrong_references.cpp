#include "paretofl/data/wrong_references.h"

#include <cmath>
#include <utility>
#include <vector>

namespace paretofl {

void mix_references(std::span<Prompt> prompts, double share, Random random) {
  const auto count = static_cast<std::size_t>(std::llround(share * static_cast<double>(prompts.size())));
  const std::vector<std::size_t> circle = random.sample_without_replacement(prompts.size(), count);
  for (std::size_t i = 1; i < circle.size(); ++i) std::swap(prompts[circle[i - 1]].reference, prompts[circle[i]].reference);
}

}  // namespace paretofl
