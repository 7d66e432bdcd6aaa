#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/core/array.h"

namespace paretofl {

/// Unsigned integers of a few bits each, packed without gaps, least significant bit first.
class BitWriter {
 public:
  /// Appends the lowest `bits` (1 to 32) of `value`.
  void write(std::uint32_t value, unsigned bits);
  /// All bytes so far, padded with zeros to whole numbers of four bytes.
  Array take() &&;

  /// How many four-byte numbers `count` integers of `bits` bits take.
  static std::size_t numbers(std::size_t count, unsigned bits) { return (count * bits + 31) / 32; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

/// Reads what BitWriter wrote. Throws Error if the bytes run out.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint32_t read(unsigned bits);

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

}  // namespace paretofl
