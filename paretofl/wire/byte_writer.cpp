#include "paretofl/wire/byte_writer.h"

namespace paretofl {

void ByteWriter::text(std::string_view value) {
  u64(value.size());
  raw(value.data(), value.size());
}

void ByteWriter::floats(std::span<const float> values) {
  u64(values.size());
  raw(values.data(), values.size_bytes());
}

void ByteWriter::doubles(std::span<const double> values) {
  u64(values.size());
  raw(values.data(), values.size_bytes());
}

void ByteWriter::raw(const void* data, std::size_t count) {
  size_ += count;
  if (out_ == nullptr || count == 0) return;
  const auto* first = static_cast<const std::byte*>(data);
  out_->insert(out_->end(), first, first + count);
}

}  // namespace paretofl
