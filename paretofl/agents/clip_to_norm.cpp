#include "paretofl/agents/clip_to_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "paretofl/kernels/lanes.h"

namespace paretofl {
namespace {

/// Sixteen sums side by side, in an order that no address decides.
double norm(std::span<const float> values) {
  constexpr std::size_t kSums = 16;
  constexpr std::size_t kRegisters = kSums / kLanes;
  std::array<Lanes, kRegisters> registers{};
  std::size_t i = 0;
  for (; i + kSums <= values.size(); i += kSums) {
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const Lanes part = load_lanes(&values[i + k * kLanes]);
      registers[k] += part * part;
    }
  }
  std::array<float, kSums> sums{};
  for (std::size_t k = 0; k < kRegisters; ++k) store_lanes(&sums[k * kLanes], registers[k]);
  for (std::size_t k = 0; i < values.size(); ++i, ++k) sums[k] += values[i] * values[i];
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

}  // namespace

void clip_to_norm(std::span<float> gradient, double max_norm) {
  const auto scale = static_cast<float>(std::min(1.0, max_norm / (norm(gradient) + 1e-6)));
  if (scale >= 1) return;
  for (float& g : gradient) g *= scale;
}

}  // namespace paretofl
