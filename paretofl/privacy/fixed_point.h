#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paretofl {

/// Real numbers as integers modulo 2^64, so that sums are exact in any order: x becomes the nearest integer to x 2^bits. The sum of n
/// numbers is off by at most n 2^-(bits + 1).
class FixedPoint {
 public:
  static constexpr int kDefaultBits = 32;

  /// For sums of `summands` numbers. Throws Error unless 1 <= summands and 1 <= bits <= 52.
  FixedPoint(int bits, std::size_t summands);

  /// A number must be below it in size, so that no sum overflows: 2^(62 - bits) / summands.
  double bound() const { return bound_; }
  double resolution() const { return resolution_; }  ///< 2^-bits

  /// Throws Error on a number that is not finite or not below the bound.
  std::uint64_t encode(double value) const;
  double decode(std::uint64_t value) const { return static_cast<double>(static_cast<std::int64_t>(value)) * resolution_; }

 private:
  double scale_;
  double resolution_;
  double bound_;
};

}  // namespace paretofl
