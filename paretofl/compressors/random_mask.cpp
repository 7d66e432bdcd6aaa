#include "paretofl/compressors/random_mask.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Calls visit(position) for `kept` of `entries` positions in ascending order: selection sampling
/// (Knuth, The Art of Computer Programming 2, Algorithm 3.4.2 S).
template <class Visit>
void for_each_kept(std::uint64_t seed, std::size_t entries, std::size_t kept, Visit visit) {
  Random random({.seed = seed}, "random mask");
  for (std::size_t i = 0; kept > 0; ++i) {
    if (random.below(entries - i) >= kept) continue;
    visit(i);
    --kept;
  }
}

}  // namespace

void RandomMaskOptions::describe(OptionVisitor& visit) {
  visit.boolean("two_way", two_way, "make a second exchange that corrects the estimate");
  visit.real("budget", budget, 0, kInfinity, "size of a sketch, relative to the model");
  visit.boolean("scale", scale, "scale kept entries up for those that are not, so that the sketch is unbiased");
}

std::size_t RandomMaskCompressor::kept(std::size_t objectives, std::size_t dimension) const {
  const double affordable = std::floor(options_.budget * static_cast<double>(dimension)) - 2;
  return static_cast<std::size_t>(std::clamp(affordable, 1.0, static_cast<double>(objectives * dimension)));
}

Record RandomMaskCompressor::compress(std::span<const float> jacobian, std::size_t objectives, Random random) const {
  const std::size_t count = kept(objectives, jacobian.size() / objectives);
  const auto seed = static_cast<std::int64_t>(random.below(std::uint64_t{1} << 62));
  std::vector<float> values;
  values.reserve(count);
  for_each_kept(static_cast<std::uint64_t>(seed), jacobian.size(), count, [&](std::size_t i) { values.push_back(jacobian[i]); });
  Record sketch;
  sketch.arrays.emplace("values", Array(std::span<const float>(values)));
  sketch.arrays.emplace("seed", Array(std::span<const std::int64_t>(&seed, 1)));
  return sketch;
}

void RandomMaskCompressor::reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const {
  const std::size_t count = kept(objectives, jacobian.size() / objectives);
  const auto values = float_array(sketch, "values", count);
  const auto seed = sketch.array("seed").ints();
  expect(seed.size() == 1, "random_mask: expected one seed, found {}", seed.size());
  const float scale = options_.scale ? static_cast<float>(static_cast<double>(jacobian.size()) / static_cast<double>(count)) : 1.0F;
  std::fill(jacobian.begin(), jacobian.end(), 0.0F);
  auto next = values.begin();
  for_each_kept(static_cast<std::uint64_t>(seed[0]), jacobian.size(), count, [&](std::size_t i) { jacobian[i] = scale * *next++; });
}

}  // namespace paretofl
