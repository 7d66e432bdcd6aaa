#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// The mask of a dropout layer (Srivastava et al. 2014) with keep probability 1/2: kept units are scaled
/// by 2. One random bit per unit and sample, bit i of the stream (its draws from their lowest bit on) for
/// unit i / samples and sample i % samples.
class DropoutMask {
 public:
  static constexpr float kScale = 2;

  void draw(Random stream, std::size_t units, std::size_t samples);

  /// The factor, 0 or kScale, of one unit and sample.
  float factor(std::size_t unit, std::size_t sample) const;
  /// The factors of one unit and samples first to first + kLanes; arbitrary ones after the last sample.
  Lanes factors(std::size_t unit, std::size_t first) const;

 private:
  std::size_t samples_ = 0;
  std::vector<std::uint32_t> words_;
};

}  // namespace paretofl
