#include "paretofl/core/array.h"

#include <fmt/ranges.h>

#include <cstring>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

void check_shape(const std::vector<std::int64_t>& shape, std::size_t count) {
  bool fits = true;
  bool empty = false;
  std::size_t product = 1;
  for (const std::int64_t extent : shape) {
    expect(extent >= 0, "array: expected non-negative extents, found {}", extent);
    empty = empty || extent == 0;
    // Once the product exceeds the count it no longer matters, and must not overflow back to it.
    fits = fits && (extent == 0 || product <= count / static_cast<std::size_t>(extent));
    if (fits) product *= static_cast<std::size_t>(extent);
  }
  expect(empty ? count == 0 : fits && product == count, "array: expected a shape of {} elements, found [{}]", count,
         fmt::join(shape, ", "));
}

}  // namespace

std::size_t Array::element_size(Type type) {
  switch (type) {
    case Type::kFloat32:
      return 4;
    case Type::kFloat64:
    case Type::kInt64:
      return 8;
    case Type::kUint8:
      return 1;
  }
  throw Error(fmt::format("array: expected an element type of 1 to 4, found {}", static_cast<int>(type)));
}

std::string_view Array::type_name(Type type) {
  switch (type) {
    case Type::kFloat32:
      return "float32";
    case Type::kFloat64:
      return "float64";
    case Type::kInt64:
      return "int64";
    case Type::kUint8:
      return "uint8";
  }
  return "unknown";
}

template <class T>
void Array::assign(Type type, std::span<const T> values, std::vector<std::int64_t> shape) {
  type_ = type;
  shape_ = std::move(shape);
  if (shape_.empty()) shape_ = {static_cast<std::int64_t>(values.size())};
  check_shape(shape_, values.size());
  bytes_.resize(values.size_bytes());
  if (!values.empty()) std::memcpy(bytes_.data(), values.data(), values.size_bytes());
}

Array::Array(std::span<const float> values, std::vector<std::int64_t> shape) { assign(Type::kFloat32, values, std::move(shape)); }
Array::Array(std::span<const double> values, std::vector<std::int64_t> shape) { assign(Type::kFloat64, values, std::move(shape)); }
Array::Array(std::span<const std::int64_t> values, std::vector<std::int64_t> shape) { assign(Type::kInt64, values, std::move(shape)); }
Array::Array(std::span<const std::uint8_t> values, std::vector<std::int64_t> shape) { assign(Type::kUint8, values, std::move(shape)); }

Array::Array(Type type, std::vector<std::int64_t> shape, std::vector<std::byte> bytes)
    : type_(type), shape_(std::move(shape)), bytes_(std::move(bytes)) {
  expect(bytes_.size() % element_size(type_) == 0, "array: expected a whole number of {} elements, found {} bytes", type_name(type_),
         bytes_.size());
  check_shape(shape_, size());
}

template <class T>
std::span<const T> Array::view(Type type) const {
  expect(type_ == type, "array: expected {} elements, found {}", type_name(type), type_name(type_));
  return {reinterpret_cast<const T*>(bytes_.data()), size()};
}

std::span<const float> Array::floats() const { return view<float>(Type::kFloat32); }
std::span<const double> Array::doubles() const { return view<double>(Type::kFloat64); }
std::span<const std::int64_t> Array::ints() const { return view<std::int64_t>(Type::kInt64); }
std::span<const std::uint8_t> Array::uints() const { return view<std::uint8_t>(Type::kUint8); }

}  // namespace paretofl
