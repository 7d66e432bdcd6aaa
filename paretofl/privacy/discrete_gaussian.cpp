#include "paretofl/privacy/discrete_gaussian.h"

#include <bit>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

namespace {

const double kInverseOfE = std::exp(-1.0);

}  // namespace

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

double DiscreteGaussian::uniform() { return static_cast<double>(bits_.next() >> 11U) * 0x1p-53; }

std::uint64_t DiscreteGaussian::below(std::uint64_t bound) {
  if (bound == 1) return 0;
  const auto unused = static_cast<unsigned>(std::countl_zero(bound - 1));
  for (;;) {
    const std::uint64_t drawn = bits_.next() >> unused;
    if (drawn < bound) return drawn;
  }
}

bool DiscreteGaussian::with_probability_exp(double minus) {
  constexpr double kRounding = 1e-12;  // more than that of the exponential
  const double u = uniform();
  // 1 - x <= e^-x <= 1 - x + x^2 / 2 decides nearly always, and sooner.
  const double lower = 1 - minus;
  if (u < lower - kRounding) return true;
  if (u > lower + minus * minus / 2 + kRounding) return false;
  return u < std::exp(-minus);
}

std::int64_t DiscreteGaussian::laplace() {
  for (;;) {
    const std::uint64_t rest = below(scale_);
    if (!with_probability_exp(static_cast<double>(rest) / static_cast<double>(scale_))) continue;
    std::uint64_t times = 0;
    while (uniform() < kInverseOfE) ++times;
    const auto size = static_cast<std::int64_t>(rest + times * scale_);
    const bool negative = (bits_.next() & 1U) != 0;
    if (negative && size == 0) continue;
    return negative ? -size : size;
  }
}

}  // namespace paretofl
