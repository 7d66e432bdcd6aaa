#include "paretofl/alignment/generalized_advantages.h"

#include <cstddef>

namespace paretofl {

void generalized_advantages(std::span<const double> rewards, std::span<const double> values, double gamma, double lambda,
                            std::span<double> advantages) {
  double advantage = 0;
  double next_value = 0;
  for (std::size_t t = rewards.size(); t-- > 0;) {
    const double error = rewards[t] + gamma * next_value - values[t];
    advantage = error + gamma * lambda * advantage;
    advantages[t] = advantage;
    next_value = values[t];
  }
}

}  // namespace paretofl
