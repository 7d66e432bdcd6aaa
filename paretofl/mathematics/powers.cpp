#include "paretofl/mathematics/powers.h"

#include "paretofl/mathematics/integer_factors.h"
#include "paretofl/mathematics/trigonometry.h"
#include "paretofl/mathematics/value_sign.h"

namespace paretofl {
namespace {

using Kind = MathAtom::Kind;

constexpr std::size_t kLongestFactored = 4096;  // in bits
constexpr unsigned long kLargestRoot = 1000;

bool is_short(const mpq_class& number) {
  return mpz_sizeinbase(number.get_num_mpz_t(), 2) <= kLongestFactored && mpz_sizeinbase(number.get_den_mpz_t(), 2) <= kLongestFactored;
}

// A positive rational number to a power that is not whole.
MathValue rational_power(Algebra& algebra, const mpq_class& base, const mpq_class& exponent) {
  if (!is_short(base)) throw Undecided();
  algebra.spend(100);
  MathValue result = algebra.number(1);
  for (const auto& [prime, power] : integer_factors(base.get_num())) {
    result = algebra.product(result, algebra.integer_power(prime, exponent * power));
  }
  for (const auto& [prime, power] : integer_factors(base.get_den())) {
    result = algebra.product(result, algebra.integer_power(prime, -exponent * power));
  }
  return result;
}

// The positive rational number by which the coefficients of a polynomial are whole numbers without a common divisor;
// none where there are none.
std::optional<mpq_class> content(const Polynomial& polynomial) {
  mpz_class above;
  mpz_class below = 1;
  for (const auto& [monomial, coefficient] : polynomial) {
    for (const mpq_class* part : {&coefficient.real, &coefficient.imaginary}) {
      above = gcd(above, part->get_num());
      below = lcm(below, part->get_den());
    }
  }
  if (above == 0) return std::nullopt;
  mpq_class result(above, below);
  result.canonicalize();
  return result;
}

bool has_only_positive_atoms(const Algebra& algebra, const Monomial& monomial) {
  return std::all_of(monomial.begin(), monomial.end(), [&algebra](const auto& factor) { return algebra.atom(factor.first).positive; });
}

// Whether this is a power of one atom, at most the first, that has the atom's sign: x^{2/3} is above 0 where x is below.
bool is_odd_power(const Monomial& monomial) {
  if (monomial.size() != 1 || monomial.begin()->second > 1) return false;
  return mpz_odd_p(monomial.begin()->second.get_num_mpz_t()) != 0;
}

// The sign of a real constant; 0 where it isn't known.
int root_sign(Algebra& algebra, const MathValue& value) {
  try {
    return algebra.is_constant(value) ? sign_of(algebra, value) : 0;
  } catch (const Undecided&) {
    return 0;
  }
}

std::optional<mpq_class> rational_root(const mpq_class& square) {
  if (square < 0 || !mpz_perfect_square_p(square.get_num_mpz_t()) || !mpz_perfect_square_p(square.get_den_mpz_t())) return std::nullopt;
  return mpq_class(sqrt(square.get_num()), sqrt(square.get_den()));
}

// sqrt(a + b sqrt(c)) = sqrt(x) + sqrt(y) with x + y = a and 4 x y = b^2 c, for a sum of two terms that is above 0.
std::optional<MathValue> denested_root(Algebra& algebra, const Polynomial& sum) {
  if (sum.size() != 2 || !sum.begin()->first.empty()) return std::nullopt;
  const mpq_class a = sum.begin()->second.real;
  const Polynomial surd{*std::next(sum.begin())};
  const std::optional<mpq_class> square = rational_of(algebra.whole_power({surd, algebra.number(1).above}, 2));
  const std::optional<mpq_class> root_of_rest = square ? rational_root(a * a - *square) : std::nullopt;
  if (!root_of_rest || a <= 0) return std::nullopt;
  const MathValue large = root(algebra, algebra.number(mpq_class((a + *root_of_rest) / 2)), 2);
  const MathValue small = root(algebra, algebra.number(mpq_class((a - *root_of_rest) / 2)), 2);
  return std::next(sum.begin())->second.real > 0 ? algebra.sum(large, small) : algebra.difference(large, small);
}

// The square root of a complex number whose size is rational, such as 2i.
MathValue complex_root(Algebra& algebra, const Gaussian& number) {
  const std::optional<mpq_class> size = rational_root(number.real * number.real + number.imaginary * number.imaginary);
  if (!size) return algebra.radicand_power(algebra.number(number), mpq_class(1, 2), false);
  const MathValue real = root(algebra, algebra.number(mpq_class((*size + number.real) / 2)), 2);
  const MathValue imaginary = root(algebra, algebra.number(mpq_class((*size - number.real) / 2)), 2);
  const Gaussian turn{0, number.imaginary < 0 ? -1 : 1};
  return algebra.sum(real, algebra.product(algebra.number(turn), imaginary));
}

// The root of what is no product of known roots.
MathValue opaque_root(Algebra& algebra, const MathValue& base, unsigned n) {
  if (base.below != algebra.number(1).below) return algebra.function("root", {base, algebra.number(n)});
  return algebra.radicand_power(base, mpq_class(1, n), root_sign(algebra, base) > 0);
}

// The n-th root of a whole power of a real variable, where it is x^q or |x|^q: x^{2/3} of x^2 with n = 3, |x| of x^2 with n = 2.
// None for anything else, such as the square root of x^3, which is x^{3/2} only above 0.
std::optional<MathValue> root_of_variable(Algebra& algebra, const MathValue& power, unsigned n) {
  const auto [atom, exponent] = *power.above.begin()->first.begin();
  const bool whole = power.above.begin()->first.size() == 1 && exponent.get_den() == 1;
  if (!whole || algebra.atom(atom).kind != Kind::kVariable || !algebra.is_real(power)) return std::nullopt;
  if (n % 2 == 1) return algebra.atom_power(atom, exponent / n);
  const mpq_class quotient = exponent / n;
  if (quotient.get_den() != 1) return std::nullopt;
  return algebra.whole_power(algebra.symmetric_function("abs", algebra.atom_power(atom, 1), 1), quotient.get_num());
}

MathValue term_root(Algebra& algebra, const Monomial& monomial, const Gaussian& coefficient, unsigned n) {
  const MathValue base{{{monomial, coefficient}}, algebra.number(1).below};
  const bool positive = has_only_positive_atoms(algebra, monomial);
  if (!coefficient.is_real()) return n == 2 && monomial.empty() ? complex_root(algebra, coefficient) : opaque_root(algebra, base, n);
  if (coefficient.real < 0) {
    if (!positive) {
      const mpq_class size = -coefficient.real;
      return algebra.product(rational_power(algebra, size, mpq_class(1, n)),
                             opaque_root(algebra, {{{monomial, {-1, 0}}}, algebra.number(1).below}, n));
    }
    const MathValue opposite = term_root(algebra, monomial, {-coefficient.real, 0}, n);
    if (n % 2 == 1) return algebra.negative(opposite);
    return n == 2 ? algebra.product(algebra.imaginary_unit(), opposite) : opaque_root(algebra, base, n);
  }
  MathValue result = rational_power(algebra, coefficient.real, mpq_class(1, n));
  Monomial unknown;
  for (const auto& [atom, exponent] : monomial) {
    if (algebra.atom(atom).positive) {
      result = algebra.product(result, algebra.atom_power(atom, exponent / n));
    } else {
      unknown.emplace(atom, exponent);
    }
  }
  if (unknown.empty()) return result;
  if (is_odd_power(unknown)) {
    return algebra.product(result, algebra.atom_power(unknown.begin()->first, unknown.begin()->second / n));
  }
  const MathValue rest{{{unknown, {1, 0}}}, algebra.number(1).below};
  if (const auto root_of_rest = root_of_variable(algebra, rest, n)) return algebra.product(result, *root_of_rest);
  return algebra.product(result, opaque_root(algebra, rest, n));
}

MathValue logarithm_of_rational(Algebra& algebra, const mpq_class& number) {
  if (!is_short(number)) throw Undecided();
  algebra.spend(100);
  MathValue total = algebra.number(0);
  for (const bool above : {true, false}) {
    for (const auto& [prime, power] : integer_factors(above ? number.get_num() : number.get_den())) {
      const MathValue of_prime = algebra.function("ln", {algebra.number(mpq_class(prime))}, true);
      const mpq_class factor = power;
      total = algebra.sum(total, algebra.product(algebra.number(above ? factor : mpq_class(-factor)), of_prime));
    }
  }
  return total;
}

// The logarithm of an atom's power.
MathValue logarithm_of_power(Algebra& algebra, int atom, const mpq_class& exponent) {
  const MathAtom base = algebra.atom(atom);
  const MathValue factor = algebra.number(exponent);
  if (base.kind == Kind::kInteger) return algebra.product(factor, logarithm_of_rational(algebra, mpq_class(base.integer)));
  if (base.kind == Kind::kFunction && base.name == "exp") return algebra.product(factor, base.arguments.at(0));
  if (base.kind == Kind::kRadicand) return algebra.product(factor, logarithm(algebra, base.arguments.at(0)));
  return algebra.product(factor, algebra.function("ln", {algebra.atom_power(atom, 1)}));
}

// Whether a factor is the logarithm of what may be below 0, as that of x^n = e^(n ln x).
bool has_unsure_logarithm(const Algebra& algebra, const Monomial& monomial) {
  return std::any_of(monomial.begin(), monomial.end(), [&algebra](const auto& factor) {
    const MathAtom& atom = algebra.atom(factor.first);
    if (atom.kind != Kind::kFunction || atom.name != "ln" || atom.positive) return false;
    const MathValue& argument = atom.arguments.at(0);
    return !is_term(argument.above) || !is_term(argument.below) || !argument.above.begin()->second.is_real() ||
           argument.above.begin()->second.real < 0 || !has_only_positive_atoms(algebra, argument.above.begin()->first) ||
           !has_only_positive_atoms(algebra, argument.below.begin()->first);
  });
}

// e^(coefficient monomial)
MathValue exponential_of_term(Algebra& algebra, const Monomial& monomial, const Gaussian& coefficient) {
  MathValue result = algebra.number(1);
  const MathValue term{{{monomial, {1, 0}}}, algebra.number(1).below};
  if (coefficient.imaginary != 0) {
    const MathValue angle = algebra.product(algebra.number(coefficient.imaginary), term);
    result = algebra.sum(cosine(algebra, angle), algebra.product(algebra.imaginary_unit(), sine(algebra, angle)));
  }
  if (coefficient.real == 0) return result;
  if (monomial.size() == 1 && monomial.begin()->second == 1) {
    const MathAtom atom = algebra.atom(monomial.begin()->first);
    if (atom.kind == Kind::kFunction && atom.name == "ln") {
      return algebra.product(result, power(algebra, atom.arguments.at(0), algebra.number(coefficient.real)));
    }
  }
  const MathValue base = algebra.function("exp", {term}, !has_unsure_logarithm(algebra, monomial));
  return algebra.product(result, algebra.atom_power(base.above.begin()->first.begin()->first, coefficient.real));
}

}  // namespace

MathValue root(Algebra& algebra, const MathValue& base, unsigned n) {
  if (n == 0 || n > kLargestRoot) throw Undecided();
  if (n == 1 || algebra.is_zero(base)) return base;
  const MathValue value = algebra.rationalized(base);
  if (value.below != algebra.number(1).below) {
    const bool positive = is_term(value.above) && is_term(value.below) && value.above.begin()->second.is_real() &&
                          has_only_positive_atoms(algebra, value.below.begin()->first);
    if (!positive) return opaque_root(algebra, value, n);
    const MathValue one = algebra.number(1);
    return algebra.quotient(root(algebra, {value.above, one.below}, n), root(algebra, {value.below, one.below}, n));
  }
  if (is_term(value.above)) return term_root(algebra, value.above.begin()->first, value.above.begin()->second, n);
  const mpq_class factor = content(value.above).value();
  const MathValue primitive = algebra.product(algebra.number(mpq_class(1 / factor)), value);
  const MathValue outside = rational_power(algebra, factor, mpq_class(1, n));
  const int sign = root_sign(algebra, primitive);
  if (sign < 0 && (n == 2 || n % 2 == 1)) {
    const MathValue turn = n == 2 ? algebra.imaginary_unit() : algebra.number(-1);
    return algebra.product(turn, algebra.product(outside, root(algebra, algebra.negative(primitive), n)));
  }
  if (sign > 0 && n == 2) {
    if (const auto denested = denested_root(algebra, value.above)) return *denested;
  }
  return algebra.product(outside, opaque_root(algebra, primitive, n));
}

MathValue power(Algebra& algebra, const MathValue& base, const MathValue& exponent) {
  const std::optional<mpq_class> rational = rational_of(exponent);
  if (rational && algebra.is_zero(base)) {
    if (*rational <= 0) throw Undecided();
    return base;
  }
  if (rational && rational->get_den() == 1) {
    try {
      return algebra.whole_power(base, rational->get_num());
    } catch (const Undecided&) {
      algebra.spend(1000);
      return algebra.function("power", {base, exponent});
    }
  }
  if (rational && rational->get_den() <= kLargestRoot) {
    const auto degree = static_cast<unsigned>(rational->get_den().get_ui());
    return power(algebra, root(algebra, base, degree), algebra.number(mpq_class(rational->get_num())));
  }
  const std::optional<mpq_class> number = rational_of(base);
  const bool atom = is_term(base.above) && constant_of(base.below) == Gaussian{1, 0} && base.above.begin()->first.size() == 1 &&
                    base.above.begin()->second == Gaussian{1, 0} && base.above.begin()->first.begin()->second == 1;
  if (atom || (number && *number > 0)) return exponential(algebra, algebra.product(exponent, logarithm(algebra, base)));
  return algebra.function("power", {base, exponent});
}

MathValue exponential(Algebra& algebra, const MathValue& exponent) {
  if (constant_of(exponent.below) != Gaussian{1, 0}) return algebra.function("exp", {exponent}, true);
  MathValue result = algebra.number(1);
  for (const auto& [monomial, coefficient] : exponent.above) {
    result = algebra.product(result, exponential_of_term(algebra, monomial, coefficient));
  }
  return result;
}

MathValue logarithm(Algebra& algebra, const MathValue& argument) {
  if (algebra.is_zero(argument)) throw Undecided();
  const MathValue value = algebra.rationalized(argument);
  const MathValue one = algebra.number(1);
  if (const auto number = rational_of(value)) {
    const MathValue size = logarithm_of_rational(algebra, abs(*number));
    return *number > 0 ? size : algebra.sum(size, algebra.product(algebra.imaginary_unit(), algebra.pi()));
  }
  if (value.below != one.below) {
    const bool positive = is_term(value.below) && has_only_positive_atoms(algebra, value.below.begin()->first);
    if (!positive) return algebra.function("ln", {value});
    return algebra.difference(logarithm(algebra, {value.above, one.below}), logarithm(algebra, {value.below, one.below}));
  }
  const mpq_class factor = content(value.above).value();
  const MathValue outside = logarithm_of_rational(algebra, factor);
  const MathValue primitive = algebra.product(algebra.number(mpq_class(1 / factor)), value);
  if (!is_term(primitive.above) || !(primitive.above.begin()->second == Gaussian{1, 0})) {
    return algebra.sum(outside, algebra.function("ln", {primitive}));
  }
  MathValue total = outside;
  Monomial unknown;
  for (const auto& [atom, exponent] : primitive.above.begin()->first) {
    if (algebra.atom(atom).positive) {
      total = algebra.sum(total, logarithm_of_power(algebra, atom, exponent));
    } else {
      unknown.emplace(atom, exponent);
    }
  }
  if (unknown.empty()) return total;
  if (is_odd_power(unknown)) {
    return algebra.sum(total, logarithm_of_power(algebra, unknown.begin()->first, unknown.begin()->second));
  }
  return algebra.sum(total, algebra.function("ln", {{{{unknown, {1, 0}}}, one.below}}));
}

}  // namespace paretofl
