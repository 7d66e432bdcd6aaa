#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace paretofl {

/// A dense array of one element type with a shape: what messages, checkpoints and client states carry.
/// Elements lie in row-major order.
class Array {
 public:
  enum class Type : std::uint8_t { kFloat32 = 1, kFloat64 = 2, kInt64 = 3, kUint8 = 4 };

  Array() = default;  ///< an empty uint8 array of shape [0]

  /// One-dimensional unless a shape is given; throws Error unless the shape's product is the count.
  explicit Array(std::span<const float> values, std::vector<std::int64_t> shape = {});
  explicit Array(std::span<const double> values, std::vector<std::int64_t> shape = {});
  explicit Array(std::span<const std::int64_t> values, std::vector<std::int64_t> shape = {});
  explicit Array(std::span<const std::uint8_t> values, std::vector<std::int64_t> shape = {});
  /// Raw bytes in the machine's (little-endian) order, as a message carries them.
  Array(Type type, std::vector<std::int64_t> shape, std::vector<std::byte> bytes);

  Type type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::size_t size() const { return bytes_.size() / element_size(type_); }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// Typed views; throw Error where the array holds another type.
  std::span<const float> floats() const;
  std::span<const double> doubles() const;
  std::span<const std::int64_t> ints() const;
  std::span<const std::uint8_t> uints() const;

  bool operator==(const Array&) const = default;

  static std::size_t element_size(Type type);  ///< bytes
  static std::string_view type_name(Type type);

 private:
  template <class T>
  void assign(Type type, std::span<const T> values, std::vector<std::int64_t> shape);
  template <class T>
  std::span<const T> view(Type type) const;

  Type type_ = Type::kUint8;
  std::vector<std::int64_t> shape_{0};
  std::vector<std::byte> bytes_;
};

}  // namespace paretofl
