#include "paretofl/agents/distinct_rows.h"

#include <bit>
#include <cstring>

namespace paretofl {
namespace {

std::size_t hash(const float* row, std::size_t width) {
  std::uint64_t state = 0x9E3779B97F4A7C15U;
  for (std::size_t i = 0; i < width; ++i) {
    state = (state ^ std::bit_cast<std::uint32_t>(row[i])) * 0xD6E8FEB86659FD93U;
    state ^= state >> 32U;
  }
  return state;
}

}  // namespace

void DistinctRows::find(std::span<const float> rows, std::size_t width) {
  const std::size_t n = rows.size() / width;
  const std::size_t slots = std::bit_ceil(2 * n + 1);
  table_.assign(slots, 0);
  index_.resize(n);
  distinct_.clear();
  count_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float* row = rows.data() + i * width;
    std::size_t slot = hash(row, width) & (slots - 1);
    while (table_[slot] != 0 && std::memcmp(distinct_.data() + (table_[slot] - 1) * width, row, width * sizeof(float)) != 0) {
      slot = (slot + 1) & (slots - 1);
    }
    if (table_[slot] == 0) {
      distinct_.insert(distinct_.end(), row, row + width);
      table_[slot] = static_cast<std::uint32_t>(++count_);
    }
    index_[i] = table_[slot] - 1;
  }
}

}  // namespace paretofl
