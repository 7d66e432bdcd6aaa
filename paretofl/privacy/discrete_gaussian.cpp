#include "paretofl/privacy/discrete_gaussian.h"

#include <bit>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

DiscreteGaussian::DiscreteGaussian(double deviation, const Secret& key) : deviation_(deviation), bits_(key) {
  expect(deviation >= 0 && deviation <= std::ldexp(1.0, 56), "discrete Gaussian: expected a standard deviation from 0 to 2^56, found {}",
         deviation);
  scale_ = static_cast<std::uint64_t>(std::floor(deviation)) + 1;
}

std::int64_t DiscreteGaussian::operator()() {
  if (deviation_ == 0) return 0;
  const double square = deviation_ * deviation_;
  for (;;) {
    const std::int64_t x = laplace();
    const double off = std::abs(static_cast<double>(x)) - square / static_cast<double>(scale_);
    if (with_probability_exp(off * off / (2 * square))) return x;
  }
}

double DiscreteGaussian::uniform() { return std::ldexp(static_cast<double>(bits_.next() >> 11U), -53); }

std::uint64_t DiscreteGaussian::below(std::uint64_t bound) {
  if (bound == 1) return 0;
  const auto unused = static_cast<unsigned>(std::countl_zero(bound - 1));
  for (;;) {
    const std::uint64_t drawn = bits_.next() >> unused;
    if (drawn < bound) return drawn;
  }
}

bool DiscreteGaussian::with_probability_exp(double minus) { return uniform() < std::exp(-minus); }

std::int64_t DiscreteGaussian::laplace() {
  for (;;) {
    const std::uint64_t rest = below(scale_);
    if (!with_probability_exp(static_cast<double>(rest) / static_cast<double>(scale_))) continue;
    std::uint64_t times = 0;
    while (with_probability_exp(1)) ++times;
    const auto size = static_cast<std::int64_t>(rest + times * scale_);
    const bool negative = (bits_.next() & 1U) != 0;
    if (negative && size == 0) continue;
    return negative ? -size : size;
  }
}

}  // namespace paretofl
