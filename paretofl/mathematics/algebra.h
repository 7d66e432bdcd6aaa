#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paretofl/mathematics/math_value.h"
#include "paretofl/mathematics/undecided.h"

namespace paretofl {

/// What a monomial's factor stands for.
struct MathAtom {
  enum class Kind {
    kVariable,  ///< a letter of the answer's
    kConstant,  ///< pi and what else is a fixed number
    kUnit,      ///< of measurement, or what is counted
    kInteger,   ///< a natural number above 1 whose roots are taken; powers of it with whole exponents are coefficients
    kRadicand,  ///< an expression whose roots are taken; powers of it with whole exponents are the expression
    kFunction   ///< a function's value
  };

  Kind kind = Kind::kVariable;
  std::string name;
  std::vector<MathValue> arguments = {};  ///< of a function; the expression of a radicand
  mpz_class integer = 0;                  ///< of kInteger
  bool positive = false;                  ///< a real number above 0, whatever the variables are
  bool constant = false;                  ///< without variables and units
};

/// Exact arithmetic with expressions: rational functions, over the rational numbers and i, of atoms (MathAtom). A value
/// has no unique form; equal() multiplies crosswise and so needs none. Two values are found equal only if they are, as
/// every rule used is an identity; a variable stands for any real number. The converse holds for sums of roots of
/// rational numbers with rational coefficients, pi and variables, but not for all functions.
///
/// Throws Undecided where it divides by 0, and once the work is more than any answer needs, so that no text takes long.
class Algebra {
 public:
  MathValue number(const mpq_class& number) const;
  MathValue number(const Gaussian& number) const;
  MathValue imaginary_unit() const { return number(Gaussian{0, 1}); }

  /// The value of an atom without arguments, which is the same one for the same kind and name.
  MathValue symbol(MathAtom::Kind kind, const std::string& name, bool positive = false);
  MathValue pi() { return symbol(MathAtom::Kind::kConstant, "pi", true); }
  /// The value of a function that no rule applies to. Its value at equal arguments is the same atom.
  MathValue function(const std::string& name, std::vector<MathValue> arguments, bool positive = false);
  /// The same of a function with f(-x) = sign f(x), sign being 1 or -1.
  MathValue symmetric_function(const std::string& name, const MathValue& argument, int sign, bool positive = false);
  /// root^exponent of a natural number above 1, or of an expression that is a polynomial; 0 < exponent < 1.
  MathValue integer_power(const mpz_class& base, const mpq_class& exponent);
  MathValue radicand_power(const MathValue& base, const mpq_class& exponent, bool positive);
  /// An atom to a rational power.
  MathValue atom_power(int atom, const mpq_class& exponent);
  const MathAtom& atom(int number) const { return atoms_.at(static_cast<std::size_t>(number)); }

  MathValue sum(const MathValue& a, const MathValue& b);
  MathValue difference(const MathValue& a, const MathValue& b) { return sum(a, negative(b)); }
  MathValue product(const MathValue& a, const MathValue& b);
  MathValue quotient(const MathValue& a, const MathValue& b) { return product(a, inverse(b)); }
  MathValue negative(const MathValue& a) { return product(number(-1), a); }
  MathValue inverse(const MathValue& a);
  MathValue whole_power(const MathValue& base, const mpz_class& exponent);
  /// A value without roots of natural numbers in its denominator, where those are square roots.
  MathValue rationalized(MathValue a);

  bool is_zero(const MathValue& a) const { return a.above.empty(); }
  bool equal(const MathValue& a, const MathValue& b) { return is_zero(difference(a, b)); }
  bool is_constant(const MathValue& a) const;
  /// Whether a value is surely a real number, whatever real numbers its variables are. Variables z and w may be complex.
  bool is_real(const MathValue& a) const;

  bool has_units(const MathValue& a) const;
  /// A value that is a number of one unit, as that number; none if its terms have several, as in 5 feet 3 inches.
  std::optional<MathValue> without_units(const MathValue& a);
  /// A value with every degree replaced by pi / 180.
  MathValue in_radians(const MathValue& a);

  /// Counts work, and throws Undecided where it is too much.
  void spend(std::size_t work);

 private:
  int atom_number(MathAtom atom);
  Monomial units_of(const Monomial& monomial) const;
  Polynomial product(const Polynomial& a, const Polynomial& b);
  Polynomial sum(Polynomial a, const Polynomial& b);
  void add_term(Polynomial& total, Monomial monomial, Gaussian coefficient);
  MathValue simplified(MathValue value);

  std::vector<MathAtom> atoms_;
  std::size_t work_ = 0;
};

/// Bits of the numbers that an Algebra works with.
constexpr std::size_t kMostBits = 65536;

}  // namespace paretofl
