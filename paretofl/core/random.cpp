#include "paretofl/core/random.h"

#include <cmath>
#include <numbers>
#include <unordered_map>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// FNV-1a, folded over the purpose's characters and an index.
std::uint32_t hash(std::uint32_t state, std::string_view text) {
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 16777619U;
  return state;
}

std::uint32_t hash(std::uint32_t state, std::uint64_t number) {
  for (int byte = 0; byte < 8; ++byte) state = (state ^ static_cast<std::uint32_t>(number >> (8 * byte) & 0xffU)) * 16777619U;
  return state;
}

constexpr std::uint32_t kFnvOffset = 2166136261U;

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> x, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * x[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * x[2];
    x = {static_cast<std::uint32_t>(product1 >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return x;
}

Random::Random(StreamId id, std::string_view purpose)
    : key_{static_cast<std::uint32_t>(id.seed), static_cast<std::uint32_t>(id.seed >> 32)},
      counter_{0, hash(kFnvOffset, purpose), id.client, id.round} {}

Random Random::substream(std::string_view purpose, std::uint64_t index) const {
  Random child = *this;
  child.counter_[0] = 0;
  child.counter_[1] = hash(hash(counter_[1], purpose), index);
  child.used_ = 4;
  return child;
}

void Random::refill() {
  block_ = philox4x32(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

Random::result_type Random::operator()() {
  if (used_ == 4) refill();
  return block_[used_++];
}

double Random::uniform() {
  const std::uint64_t high = (*this)() >> 5;
  const std::uint64_t low = (*this)() >> 6;
  return static_cast<double>(high << 26 | low) * 0x1p-53;
}

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint64_t Random::below(std::uint64_t bound) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  expect(bound > 0, "random: expected a positive bound, found 0");
  const std::uint64_t reject_from = kMax - kMax % bound;
  for (;;) {
    const std::uint64_t high = (*this)();
    const std::uint64_t draw = high << 32 | (*this)();
    if (draw < reject_from) return draw % bound;
  }
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Random::gamma(double shape) {
  expect(shape > 0, "random: expected a positive gamma shape, found {}", shape);
  if (shape < 1) {
    const double boost = std::pow(1.0 - uniform(), 1.0 / shape);
    return gamma(shape + 1) * boost;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double v = std::pow(1.0 + c * x, 3);
    if (v <= 0) continue;
    const double u = 1.0 - uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::vector<double> Random::dirichlet(std::span<const double> concentration) {
  std::vector<double> draw;
  double sum = 0;
  for (const double alpha : concentration) {
    draw.push_back(gamma(alpha));
    sum += draw.back();
  }
  // Tiny concentrations can underflow every gamma draw; the limit is a random corner.
  if (sum <= 0) {
    draw[below(draw.size())] = sum = 1;
  }
  for (double& x : draw) x /= sum;
  return draw;
}

std::vector<std::size_t> Random::sample_without_replacement(std::size_t population, std::size_t count) {
  expect(count <= population, "random: expected at most {} distinct draws, found {}", population, count);
  // Fisher-Yates on a sparse array: O(count) whatever the population.
  std::unordered_map<std::size_t, std::size_t> moved;
  const auto at = [&](std::size_t i) {
    const auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + below(population - i);
    drawn.push_back(at(j));
    moved[j] = at(i);
  }
  return drawn;
}

}  // namespace paretofl
