#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace paretofl {

static_assert(std::endian::native == std::endian::little, "the wire format is the machine's own byte order");

/// Appends little-endian values to a buffer or, without one, only counts their bytes: a size is
/// computed by the same code that writes, and copies nothing.
class ByteWriter {
 public:
  ByteWriter() = default;
  explicit ByteWriter(std::vector<std::byte>& out) : out_(&out) {}

  std::size_t size() const { return size_; }  ///< bytes written or counted so far

  void u8(std::uint8_t value) { raw(&value, sizeof value); }
  void u16(std::uint16_t value) { raw(&value, sizeof value); }
  void u32(std::uint32_t value) { raw(&value, sizeof value); }
  void u64(std::uint64_t value) { raw(&value, sizeof value); }
  void i64(std::int64_t value) { raw(&value, sizeof value); }
  void f64(double value) { raw(&value, sizeof value); }
  void bytes(std::span<const std::byte> values) { raw(values.data(), values.size()); }

  /// A length and the characters.
  void text(std::string_view value);
  /// A length and the elements, in one copy.
  void floats(std::span<const float> values);
  void doubles(std::span<const double> values);

 private:
  void raw(const void* data, std::size_t count);

  std::vector<std::byte>* out_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace paretofl
