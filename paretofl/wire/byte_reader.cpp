#include "paretofl/wire/byte_reader.h"

#include <cstring>

#include "paretofl/core/error.h"

namespace paretofl {

std::span<const std::byte> ByteReader::take(std::uint64_t count, std::size_t size, std::string_view what) {
  expect(count <= left_.size() / size, "message: expected {} x {} bytes of {}, found {} bytes left", count, size, what, left_.size());
  const auto taken = left_.first(static_cast<std::size_t>(count) * size);
  left_ = left_.subspan(taken.size());
  return taken;
}

template <class T>
T ByteReader::value(std::string_view what) {
  T value;
  std::memcpy(&value, take(1, sizeof(T), what).data(), sizeof(T));
  return value;
}

template <class T>
std::vector<T> ByteReader::values(std::string_view what) {
  const auto source = take(u64(what), sizeof(T), what);
  std::vector<T> values(source.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), source.data(), source.size());
  return values;
}

template std::uint8_t ByteReader::value(std::string_view);
template std::uint16_t ByteReader::value(std::string_view);
template std::uint32_t ByteReader::value(std::string_view);
template std::uint64_t ByteReader::value(std::string_view);
template std::int64_t ByteReader::value(std::string_view);
template double ByteReader::value(std::string_view);
template std::vector<float> ByteReader::values(std::string_view);
template std::vector<double> ByteReader::values(std::string_view);

bool ByteReader::flag(std::string_view what) {
  const std::uint8_t byte = u8(what);
  expect(byte <= 1, "message: expected 0 or 1 for {}, found {}", what, byte);
  return byte == 1;
}

std::string ByteReader::text(std::string_view what) {
  const auto source = take(u64(what), 1, what);
  return {reinterpret_cast<const char*>(source.data()), source.size()};
}

}  // namespace paretofl
