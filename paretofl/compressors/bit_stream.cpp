#include "paretofl/compressors/bit_stream.h"

#include "paretofl/core/error.h"

namespace paretofl {

void BitWriter::write(std::uint32_t value, unsigned bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  pending_ |= (value & mask) << pending_bits_;
  pending_bits_ += bits;
  for (; pending_bits_ >= 8; pending_bits_ -= 8) {
    bytes_.push_back(static_cast<std::uint8_t>(pending_));
    pending_ >>= 8;
  }
}

Array BitWriter::take() && {
  if (pending_bits_ > 0) bytes_.push_back(static_cast<std::uint8_t>(pending_));
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  return Array(std::span<const std::uint8_t>(bytes_));
}

std::uint32_t BitReader::read(unsigned bits) {
  while (pending_bits_ < bits) {
    expect(next_ < bytes_.size(), "packed bits: expected {} more, found the end after {} bytes", bits - pending_bits_, bytes_.size());
    pending_ |= static_cast<std::uint64_t>(bytes_[next_++]) << pending_bits_;
    pending_bits_ += 8;
  }
  const auto value = static_cast<std::uint32_t>(pending_ & ((std::uint64_t{1} << bits) - 1));
  pending_ >>= bits;
  pending_bits_ -= bits;
  return value;
}

}  // namespace paretofl
