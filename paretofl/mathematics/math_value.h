#pragma once

#include <map>
#include <optional>

#include "paretofl/mathematics/gaussian.h"

namespace paretofl {

/// A product of powers: the exponent, never 0, of every atom by its number in an Algebra.
using Monomial = std::map<int, mpq_class>;

/// A sum of monomials with coefficients other than 0.
using Polynomial = std::map<Monomial, Gaussian>;

/// A fraction of polynomials, the lower of which is not 0. What its atoms stand for, the Algebra that made it knows.
struct MathValue {
  Polynomial above;
  Polynomial below;
};

/// Whether a polynomial is one monomial with its coefficient.
inline bool is_term(const Polynomial& polynomial) { return polynomial.size() == 1; }

/// The coefficient of a polynomial without atoms; none if there are some.
inline std::optional<Gaussian> constant_of(const Polynomial& polynomial) {
  if (polynomial.empty()) return Gaussian{};
  if (polynomial.size() > 1 || !polynomial.begin()->first.empty()) return std::nullopt;
  return polynomial.begin()->second;
}

/// The value as a rational number; none for any other.
inline std::optional<mpq_class> rational_of(const MathValue& value) {
  const std::optional<Gaussian> above = constant_of(value.above);
  const std::optional<Gaussian> below = constant_of(value.below);
  if (!above || !below || !above->is_real() || !below->is_real()) return std::nullopt;
  return mpq_class(above->real / below->real);
}

}  // namespace paretofl
