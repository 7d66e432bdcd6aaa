#include "paretofl/compressors/quantizer.h"

#include <algorithm>
#include <cmath>

#include "paretofl/compressors/bit_stream.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

double largest_level(unsigned bits) { return static_cast<double>((1U << (bits - 1)) - 1); }

}  // namespace

void QuantizerOptions::describe(OptionVisitor& visit) {
  visit.real("budget", budget, 0, kInfinity, "size of a sketch, relative to the model; it determines the bits per entry, 2 to 16");
}

unsigned QuantizerCompressor::bits(std::size_t objectives) const {
  return static_cast<unsigned>(std::clamp(std::floor(32 * options_.budget / static_cast<double>(objectives)), 2.0, 16.0));
}

std::size_t QuantizerCompressor::upload_numbers(std::size_t objectives, std::size_t dimension) const {
  return objectives + BitWriter::numbers(objectives * dimension, bits(objectives));
}

Record QuantizerCompressor::compress(std::span<const float> jacobian, std::size_t objectives, Random random) const {
  const std::size_t dimension = jacobian.size() / objectives;
  const unsigned width = bits(objectives);
  const double levels = largest_level(width);
  std::vector<float> scales(objectives);
  BitWriter codes;
  for (std::size_t k = 0; k < objectives; ++k) {
    const auto row = jacobian.subspan(k * dimension, dimension);
    for (const float x : row) {
      expect(std::isfinite(x), "quantizer: expected finite gradients, found {}", x);
      scales[k] = std::max(scales[k], std::abs(x));
    }
    const double per_level = scales[k] > 0 ? levels / static_cast<double>(scales[k]) : 0;
    for (const float x : row) {
      const double level = std::floor(static_cast<double>(x) * per_level + random.uniform());
      codes.write(static_cast<std::uint32_t>(std::clamp(level, -levels, levels) + levels), width);
    }
  }
  Record sketch;
  sketch.arrays.emplace("scales", Array(std::span<const float>(scales)));
  sketch.arrays.emplace("codes", std::move(codes).take());
  return sketch;
}

void QuantizerCompressor::reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const {
  const std::size_t dimension = jacobian.size() / objectives;
  const unsigned width = bits(objectives);
  const double levels = largest_level(width);
  const auto scales = float_array(sketch, "scales", objectives);
  const auto bytes = sketch.array("codes").uints();
  expect(bytes.size() == 4 * BitWriter::numbers(jacobian.size(), width), "quantizer: expected {} bytes of codes, found {}",
         4 * BitWriter::numbers(jacobian.size(), width), bytes.size());
  BitReader codes(bytes);
  for (std::size_t k = 0; k < objectives; ++k) {
    const double step = static_cast<double>(scales[k]) / levels;
    for (float& x : jacobian.subspan(k * dimension, dimension)) x = static_cast<float>(step * (codes.read(width) - levels));
  }
}

}  // namespace paretofl
