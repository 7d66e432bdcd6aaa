#include "paretofl/compressors/top_k.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "paretofl/compressors/bit_stream.h"
#include "paretofl/core/error.h"

namespace paretofl {

void TopKOptions::describe(OptionVisitor& visit) {
  visit.boolean("two_way", two_way, "make a second exchange that corrects the estimate");
  visit.real("budget", budget, 0, kInfinity, "size of a sketch, relative to the model; it determines k");
}

TopKCompressor::Plan TopKCompressor::plan(std::size_t entries, std::size_t objectives) const {
  expect(entries > 0 && entries < (std::size_t{1} << 32), "top_k: expected a jacobian of 1 to 2^32 - 1 entries, found {}", entries);
  const double numbers = options_.budget * static_cast<double>(entries) / static_cast<double>(objectives);
  const auto position_bits = static_cast<unsigned>(std::max(std::bit_width(entries - 1), std::size_t{1}));
  const double as_list = numbers * 32 / (32 + position_bits) - 1;  // less one for the padding
  const double as_map = numbers - static_cast<double>(BitWriter::numbers(entries, 1));
  const double kept = std::clamp(std::floor(std::max(as_list, as_map)), 1.0, static_cast<double>(entries));
  return {static_cast<std::size_t>(kept), as_map >= as_list ? 0 : position_bits};
}

std::size_t TopKCompressor::upload_numbers(std::size_t objectives, std::size_t dimension) const {
  const auto [kept, position_bits] = plan(objectives * dimension, objectives);
  return kept + (position_bits == 0 ? BitWriter::numbers(objectives * dimension, 1) : BitWriter::numbers(kept, position_bits));
}

Record TopKCompressor::compress(std::span<const float> jacobian, std::size_t objectives, Random) const {
  const auto [kept, position_bits] = plan(jacobian.size(), objectives);
  std::vector<std::uint32_t> order(jacobian.size());
  std::iota(order.begin(), order.end(), 0U);
  for (const float x : jacobian) expect(std::isfinite(x), "top_k: expected finite gradients, found {}", x);
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept - 1), order.end(), [&](auto a, auto b) {
    const float left = std::abs(jacobian[a]);
    const float right = std::abs(jacobian[b]);
    return left > right || (left == right && a < b);
  });
  order.resize(kept);
  std::sort(order.begin(), order.end());

  BitWriter where;
  if (position_bits == 0) {
    std::size_t entry = 0;
    for (const std::uint32_t position : order) {
      for (; entry < position; ++entry) where.write(0, 1);
      where.write(1, 1);
      ++entry;
    }
    for (; entry < jacobian.size(); ++entry) where.write(0, 1);
  } else {
    for (const std::uint32_t position : order) where.write(position, position_bits);
  }
  std::vector<float> values;
  values.reserve(kept);
  for (const std::uint32_t position : order) values.push_back(jacobian[position]);
  Record sketch;
  sketch.arrays.emplace("values", Array(std::span<const float>(values)));
  sketch.arrays.emplace("where", std::move(where).take());
  return sketch;
}

void TopKCompressor::reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const {
  const auto [kept, position_bits] = plan(jacobian.size(), objectives);
  const auto values = float_array(sketch, "values", kept);
  BitReader where(sketch.array("where").uints());
  std::fill(jacobian.begin(), jacobian.end(), 0.0F);
  if (position_bits > 0) {
    for (const float value : values) {
      const std::uint32_t position = where.read(position_bits);
      expect(position < jacobian.size(), "top_k: expected positions below {}, found {}", jacobian.size(), position);
      jacobian[position] = value;
    }
    return;
  }
  std::size_t used = 0;
  for (float& entry : jacobian) {
    if (where.read(1) == 0) continue;
    expect(used < kept, "top_k: expected {} entries marked, found more", kept);
    entry = values[used++];
  }
  expect(used == kept, "top_k: expected {} entries marked, found {}", kept, used);
}

}  // namespace paretofl
