#include "paretofl/secure_sums/mask_stream.h"

#include <algorithm>
#include <array>

#include "paretofl/secure_sums/key_stream.h"

namespace paretofl {
namespace {

template <class Apply>
void with_mask(const Secret& key, std::span<std::uint64_t> values, const Apply& apply) {
  KeyStream stream(key);
  std::array<std::uint64_t, 1024> block{};
  for (std::size_t start = 0; start < values.size(); start += block.size()) {
    const std::size_t count = std::min(block.size(), values.size() - start);
    stream.fill({reinterpret_cast<std::uint8_t*>(block.data()), count * sizeof(std::uint64_t)});
    for (std::size_t i = 0; i < count; ++i) apply(values[start + i], block[i]);
  }
}

}  // namespace

void add_mask(const Secret& key, std::span<std::uint64_t> values) {
  with_mask(key, values, [](std::uint64_t& value, std::uint64_t mask) { value += mask; });
}

void subtract_mask(const Secret& key, std::span<std::uint64_t> values) {
  with_mask(key, values, [](std::uint64_t& value, std::uint64_t mask) { value -= mask; });
}

void fill_from(const Secret& key, std::span<std::uint8_t> bytes) { KeyStream(key).fill(bytes); }

}  // namespace paretofl
