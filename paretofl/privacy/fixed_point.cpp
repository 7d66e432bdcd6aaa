#include "paretofl/privacy/fixed_point.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

FixedPoint::FixedPoint(int bits, std::size_t summands)
    : scale_(std::ldexp(1.0, bits)),
      resolution_(std::ldexp(1.0, -bits)),
      bound_(std::ldexp(1.0, 62 - bits) / static_cast<double>(summands == 0 ? 1 : summands)) {
  expect(bits >= 1 && bits <= 52, "fixed point: expected 1 to 52 bits after the point, found {}", bits);
  expect(summands >= 1, "fixed point: expected at least one number in a sum, found none");
}

std::uint64_t FixedPoint::encode(double value) const {
  expect(std::isfinite(value) && std::abs(value) < bound_,
         "fixed point: expected numbers below {} in size, so that their sum fits into 64 bits, found a larger one or none", bound_);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(value * scale_)));
}

}  // namespace paretofl
