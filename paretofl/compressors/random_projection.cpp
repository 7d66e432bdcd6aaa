#include "paretofl/compressors/random_projection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// -1 or 1 for each entry of a gradient.
std::vector<float> random_signs(std::uint64_t seed, std::size_t count) {
  Random random({.seed = seed}, "random projection");
  std::vector<float> signs(count);
  std::uint32_t bits = 0;
  for (std::size_t j = 0; j < count; ++j, bits >>= 1U) {
    if (j % 32 == 0) bits = random();
    signs[j] = (bits & 1U) != 0 ? 1.0F : -1.0F;
  }
  return signs;
}

}  // namespace

void RandomProjectionOptions::describe(OptionVisitor& visit) {
  visit.boolean("two_way", two_way, "make a second exchange that corrects the estimate");
  visit.real("budget", budget, 0, kInfinity, "size of a sketch, relative to the model");
}

std::size_t RandomProjectionCompressor::buckets(std::size_t objectives, std::size_t dimension) const {
  const double affordable = std::floor((options_.budget * static_cast<double>(dimension) - 2) / static_cast<double>(objectives));
  return static_cast<std::size_t>(std::clamp(affordable, 1.0, static_cast<double>(dimension)));
}

Record RandomProjectionCompressor::compress(std::span<const float> jacobian, std::size_t objectives, Random random) const {
  const std::size_t dimension = jacobian.size() / objectives;
  const std::size_t size = buckets(objectives, dimension);
  const auto seed = static_cast<std::int64_t>(random.below(std::uint64_t{1} << 62));
  const std::vector<float> signs = random_signs(static_cast<std::uint64_t>(seed), dimension);
  std::vector<float> values(objectives * size);
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t j = 0, b = 0; j < dimension; ++j, b = b + 1 == size ? 0 : b + 1) {
      values[k * size + b] += signs[j] * jacobian[k * dimension + j];
    }
  }
  Record sketch;
  sketch.arrays.emplace("values", Array(std::span<const float>(values)));
  sketch.arrays.emplace("seed", Array(std::span<const std::int64_t>(&seed, 1)));
  return sketch;
}

void RandomProjectionCompressor::reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const {
  const std::size_t dimension = jacobian.size() / objectives;
  const std::size_t size = buckets(objectives, dimension);
  const auto values = float_array(sketch, "values", objectives * size);
  const auto seed = sketch.array("seed").ints();
  expect(seed.size() == 1, "random_projection: expected one seed, found {}", seed.size());
  const std::vector<float> signs = random_signs(static_cast<std::uint64_t>(seed[0]), dimension);
  std::vector<float> share(size);  // of an entry in its number
  for (std::size_t b = 0; b < size; ++b) {
    const std::size_t entries = dimension / size + (b < dimension % size ? 1 : 0);
    share[b] = static_cast<float>(1 / std::sqrt(static_cast<double>(entries)));
  }
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t j = 0, b = 0; j < dimension; ++j, b = b + 1 == size ? 0 : b + 1) {
      jacobian[k * dimension + j] = signs[j] * share[b] * values[k * size + b];
    }
  }
}

}  // namespace paretofl
