#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// Takes little-endian values off the front of a span. Every read names what it reads, and throws
/// Error where fewer bytes are left; a length is checked against them before anything is allocated.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  std::size_t left() const { return left_.size(); }

  std::uint8_t u8(std::string_view what) { return value<std::uint8_t>(what); }
  std::uint16_t u16(std::string_view what) { return value<std::uint16_t>(what); }
  std::uint32_t u32(std::string_view what) { return value<std::uint32_t>(what); }
  std::uint64_t u64(std::string_view what) { return value<std::uint64_t>(what); }
  std::int64_t i64(std::string_view what) { return value<std::int64_t>(what); }
  double f64(std::string_view what) { return value<double>(what); }
  /// A byte that is 0 or 1.
  bool flag(std::string_view what);
  std::span<const std::byte> bytes(std::size_t count, std::string_view what) { return take(count, 1, what); }

  /// A length and what it counts, as ByteWriter writes them.
  std::string text(std::string_view what);
  std::vector<float> floats(std::string_view what) { return values<float>(what); }
  std::vector<double> doubles(std::string_view what) { return values<double>(what); }

 private:
  /// The next `count` elements of `size` bytes each.
  std::span<const std::byte> take(std::uint64_t count, std::size_t size, std::string_view what);
  template <class T>
  T value(std::string_view what);
  template <class T>
  std::vector<T> values(std::string_view what);

  std::span<const std::byte> left_;
};

}  // namespace paretofl
