#pragma once

#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// e^x in float32 to within 2 units in the last place, for x up to 88; 0 below -87.
inline Lanes exp_lanes(Lanes x) {
  constexpr float kRounder = 12582912;  // 1.5 * 2^23: adding it leaves the nearest integer in the lowest bits
  const LaneInts zero = x < -87;
  x = zero ? Lanes{} : x;
  const Lanes shifted = x * 1.44269504F + kRounder;
  const Lanes power = shifted - kRounder;
  const Lanes r = (x - power * 0.693145752F) - power * 1.42860677e-6F;  // ln 2 in two parts
  Lanes p = Lanes{} + 1.9875691500e-4F;
  for (const float c : {1.3981999507e-3F, 8.3334519073e-3F, 4.1665795894e-2F, 1.6666665459e-1F, 0.5F, 1.0F, 1.0F}) p = p * r + c;
  const LaneInts exponent = (reinterpret_cast<LaneInts>(shifted) - reinterpret_cast<LaneInts>(Lanes{} + kRounder)) << 23;
  return zero ? Lanes{} : reinterpret_cast<Lanes>(reinterpret_cast<LaneInts>(p) + exponent);
}

/// 1 / (1 + e^-x), to within a few units in the last place from -80 on, nearly zero below.
inline Lanes sigmoid_lanes(Lanes x) {
  constexpr float kFar = 80;  // e^80 is finite in float32, and its inverse is nothing
  const Lanes negative = -x;
  return 1 / (1 + exp_lanes(negative > kFar ? Lanes{} + kFar : negative));
}

}  // namespace paretofl
