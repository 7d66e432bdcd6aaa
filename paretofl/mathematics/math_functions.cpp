#include "paretofl/mathematics/math_functions.h"

#include "paretofl/mathematics/powers.h"
#include "paretofl/mathematics/trigonometry.h"
#include "paretofl/mathematics/value_sign.h"

namespace paretofl {
namespace {

constexpr unsigned long kLargestFactorial = 3000;

// A rational number's whole part where it is all of it, of either sign.
std::optional<mpz_class> whole_of(const MathValue& value) {
  const std::optional<mpq_class> number = rational_of(value);
  return number && number->get_den() == 1 ? std::optional(mpz_class(number->get_num())) : std::nullopt;
}

// The sign of a real constant; none for anything else.
std::optional<int> known_sign(Algebra& algebra, const MathValue& value) {
  try {
    return sign_of(algebra, value);
  } catch (const Undecided&) {
    return std::nullopt;
  }
}

MathValue half_of(Algebra& algebra, const MathValue& value) { return algebra.product(algebra.number(mpq_class(1, 2)), value); }

// (e^x + sign e^-x) / 2
MathValue hyperbolic(Algebra& algebra, const MathValue& x, int sign) {
  const MathValue falling = exponential(algebra, algebra.negative(x));
  return half_of(algebra, algebra.sum(exponential(algebra, x), algebra.product(algebra.number(sign), falling)));
}

MathValue divisor_function(Algebra& algebra, std::string_view command, const std::vector<MathValue>& arguments) {
  if (arguments.empty()) throw Undecided();
  mpz_class result = command == "\\gcd" ? 0 : 1;
  for (const MathValue& argument : arguments) {
    const std::optional<mpz_class> number = whole_of(argument);
    if (!number) {
      if (arguments.size() != 2) throw Undecided();
      return algebra.function(std::string(command), arguments);
    }
    algebra.spend(1 + mpz_sizeinbase(number->get_mpz_t(), 2) / 16);
    result = command == "\\gcd" ? mpz_class(gcd(result, *number)) : mpz_class(lcm(result, *number));
  }
  return algebra.number(mpq_class(result));
}

MathValue extreme(Algebra& algebra, const std::vector<MathValue>& arguments, int sign) {
  if (arguments.empty()) throw Undecided();
  MathValue result = arguments.front();
  for (const MathValue& argument : arguments) {
    if (sign_of(algebra, algebra.difference(argument, result)) == sign) result = argument;
  }
  return result;
}

MathValue function_of_one(Algebra& algebra, std::string_view name, const MathValue& x) {
  if (name == "\\exp") return exponential(algebra, x);
  if (name == "\\ln") return logarithm(algebra, x);
  if (name == "\\lg") return logarithm_to(algebra, algebra.number(10), x);
  // Without its base a logarithm is not known, but it is a multiple of every other.
  if (name == "\\log") return algebra.quotient(logarithm(algebra, x), algebra.symbol(MathAtom::Kind::kConstant, "ln of log's base", true));
  if (name == "\\abs") return absolute_value(algebra, x);
  if (name == "\\floor") return floor_value(algebra, x);
  if (name == "\\ceil") return ceiling_value(algebra, x);
  if (name == "\\sinh") return hyperbolic(algebra, x, -1);
  if (name == "\\cosh") return hyperbolic(algebra, x, 1);
  if (name == "\\tanh") return algebra.quotient(hyperbolic(algebra, x, -1), hyperbolic(algebra, x, 1));
  if (name == "\\arcsin") return arc_sine(algebra, x);
  if (name == "\\arccos") return arc_cosine(algebra, x);
  if (name == "\\arctan") return arc_tangent(algebra, x);
  const MathValue angle = algebra.in_radians(x);
  if (name == "\\sin") return sine(algebra, angle);
  if (name == "\\cos") return cosine(algebra, angle);
  if (name == "\\tan") return algebra.quotient(sine(algebra, angle), cosine(algebra, angle));
  if (name == "\\cot") return algebra.quotient(cosine(algebra, angle), sine(algebra, angle));
  if (name == "\\sec") return algebra.inverse(cosine(algebra, angle));
  if (name == "\\csc") return algebra.inverse(sine(algebra, angle));
  if (name == "\\cis") return algebra.sum(cosine(algebra, angle), algebra.product(algebra.imaginary_unit(), sine(algebra, angle)));
  throw Undecided();
}

}  // namespace

MathValue math_function(Algebra& algebra, std::string_view command, const std::vector<MathValue>& arguments) {
  if (command == "\\gcd" || command == "\\lcm") return divisor_function(algebra, command, arguments);
  if (command == "\\max" || command == "\\min") return extreme(algebra, arguments, command == "\\max" ? 1 : -1);
  if (arguments.size() != 1) throw Undecided();
  return function_of_one(algebra, command, arguments.front());
}

MathValue inverse_function(Algebra& algebra, std::string_view command, const MathValue& argument) {
  if (command == "\\sin") return arc_sine(algebra, argument);
  if (command == "\\cos") return arc_cosine(algebra, argument);
  if (command == "\\tan") return arc_tangent(algebra, argument);
  throw Undecided();
}

MathValue logarithm_to(Algebra& algebra, const MathValue& base, const MathValue& argument) {
  return algebra.quotient(logarithm(algebra, argument), logarithm(algebra, base));
}

MathValue absolute_value(Algebra& algebra, const MathValue& value) {
  if (const auto above = constant_of(value.above), below = constant_of(value.below); above && below && !above->is_real()) {
    const Gaussian number = *above * inverse(*below);
    return root(algebra, algebra.number(mpq_class(number.real * number.real + number.imaginary * number.imaginary)), 2);
  }
  if (const auto sign = known_sign(algebra, value)) return *sign < 0 ? algebra.negative(value) : value;
  if (is_term(value.above) && is_term(value.below) && value.above.begin()->second.is_real() && value.below.begin()->second.is_real()) {
    const mpq_class number = value.above.begin()->second.real / value.below.begin()->second.real;
    const MathValue rest = algebra.quotient(value, algebra.number(number));
    return algebra.product(algebra.number(mpq_class(abs(number))), algebra.symmetric_function("abs", rest, 1));
  }
  return algebra.symmetric_function("abs", value, 1);
}

MathValue floor_value(Algebra& algebra, const MathValue& value) {
  if (!algebra.is_constant(value)) return algebra.function("floor", {value});
  return algebra.number(mpq_class(floor_of(algebra, value)));
}

MathValue ceiling_value(Algebra& algebra, const MathValue& value) {
  return algebra.negative(floor_value(algebra, algebra.negative(value)));
}

MathValue factorial(Algebra& algebra, const MathValue& n, unsigned step) {
  const std::optional<mpz_class> number = whole_of(n);
  if (!number || *number > kLargestFactorial) return algebra.function(step == 1 ? "factorial" : "double factorial", {n});
  if (*number < 0) throw Undecided();
  algebra.spend(1 + number->get_ui());
  mpz_class result;
  if (step == 1) {
    mpz_fac_ui(result.get_mpz_t(), number->get_ui());
  } else {
    mpz_2fac_ui(result.get_mpz_t(), number->get_ui());
  }
  return algebra.number(mpq_class(result));
}

MathValue binomial(Algebra& algebra, const MathValue& n, const MathValue& k) {
  const std::optional<mpz_class> above = whole_of(n);
  const std::optional<mpz_class> below = whole_of(k);
  if (!above || !below) return algebra.function("binomial", {n, k});
  if (*above < 0 || *below < 0) throw Undecided();
  if (*below > *above) return algebra.number(0);
  const mpz_class chosen = *below * 2 > *above ? mpz_class(*above - *below) : *below;
  if (chosen > kLargestFactorial || mpz_sizeinbase(above->get_mpz_t(), 2) * (chosen.get_ui() + 1) > kMostBits) {
    return algebra.function("binomial", {n, k});
  }
  algebra.spend(1 + chosen.get_ui());
  mpz_class result;
  mpz_bin_ui(result.get_mpz_t(), above->get_mpz_t(), chosen.get_ui());
  return algebra.number(mpq_class(result));
}

}  // namespace paretofl
