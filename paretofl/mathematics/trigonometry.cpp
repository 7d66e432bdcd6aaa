#include "paretofl/mathematics/trigonometry.h"

#include "paretofl/mathematics/powers.h"
#include "paretofl/mathematics/value_sign.h"

namespace paretofl {
namespace {

// The angle over pi where that is a real rational number.
std::optional<mpq_class> turns_of(Algebra& algebra, const MathValue& angle) { return rational_of(algebra.quotient(angle, algebra.pi())); }

mpq_class fraction(long above, long below) {
  mpq_class result(above, below);
  result.canonicalize();
  return result;
}

// (p sqrt(a) + q sqrt(b)) / 4
MathValue quarter_of_roots(Algebra& algebra, long p, unsigned long a, long q, unsigned long b) {
  const MathValue first = algebra.product(algebra.number(fraction(p, 4)), root(algebra, algebra.number(mpq_class(a)), 2));
  return algebra.sum(first, algebra.product(algebra.number(fraction(q, 4)), root(algebra, algebra.number(mpq_class(b)), 2)));
}

// sin(turns pi) for turns between 0 and 1/2.
MathValue sine_in_first_quarter(Algebra& algebra, const mpq_class& turns) {
  const mpq_class sixtieths = turns * 60;
  if (sixtieths.get_den() == 1) {
    switch (sixtieths.get_num().get_si()) {
      case 0:
        return algebra.number(0);
      case 5:
        return quarter_of_roots(algebra, 1, 6, -1, 2);
      case 6:
        return quarter_of_roots(algebra, 1, 5, -1, 1);
      case 10:
        return algebra.number(fraction(1, 2));
      case 15:
        return quarter_of_roots(algebra, 2, 2, 0, 1);
      case 18:
        return quarter_of_roots(algebra, 1, 5, 1, 1);
      case 20:
        return quarter_of_roots(algebra, 2, 3, 0, 1);
      case 25:
        return quarter_of_roots(algebra, 1, 6, 1, 2);
      case 30:
        return algebra.number(1);
      case 12:    // sin^2(pi/5) = (5 - sqrt(5)) / 8
      case 24: {  // sin^2(2 pi/5) = (5 + sqrt(5)) / 8
        const MathValue square = quarter_of_roots(algebra, sixtieths == 12 ? -2 : 2, 5, 10, 1);
        return algebra.product(algebra.number(fraction(1, 2)), root(algebra, square, 2));
      }
      default:
        break;
    }
  }
  return algebra.function("sin", {algebra.product(algebra.number(turns), algebra.pi())}, true);
}

MathValue sine_of_turns(Algebra& algebra, mpq_class turns) {
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), turns.get_num_mpz_t(), turns.get_den_mpz_t());
  turns -= whole;
  if (turns > fraction(1, 2)) turns = 1 - turns;
  const MathValue size = sine_in_first_quarter(algebra, turns);
  return mpz_odd_p(whole.get_mpz_t()) != 0 ? algebra.negative(size) : size;
}

// The multiple of pi/60 between `begin` and `end` of them at which a function has a constant value.
template <class Function>
std::optional<MathValue> angle_with(Algebra& algebra, const MathValue& value, long begin, long end, Function function) {
  if (!algebra.is_constant(value)) return std::nullopt;
  for (const long step : {5L, 6L}) {
    for (long angle = begin; angle <= end; ++angle) {
      if (angle % step != 0) continue;
      if (algebra.equal(function(fraction(angle, 60)), value)) return algebra.product(algebra.number(fraction(angle, 60)), algebra.pi());
    }
  }
  return std::nullopt;
}

}  // namespace

MathValue sine(Algebra& algebra, const MathValue& angle) {
  if (algebra.is_zero(angle)) return angle;
  if (const auto turns = turns_of(algebra, angle)) return sine_of_turns(algebra, *turns);
  return algebra.symmetric_function("sin", angle, -1);
}

MathValue cosine(Algebra& algebra, const MathValue& angle) {
  if (algebra.is_zero(angle)) return algebra.number(1);
  if (const auto turns = turns_of(algebra, angle)) return sine_of_turns(algebra, fraction(1, 2) - *turns);
  return algebra.symmetric_function("cos", angle, 1);
}

MathValue arc_sine(Algebra& algebra, const MathValue& value) {
  const auto known = angle_with(algebra, value, -30, 30, [&algebra](const mpq_class& turns) { return sine_of_turns(algebra, turns); });
  return known ? *known : algebra.symmetric_function("arcsin", value, -1);
}

MathValue arc_cosine(Algebra& algebra, const MathValue& value) {
  return algebra.difference(algebra.product(algebra.number(fraction(1, 2)), algebra.pi()), arc_sine(algebra, value));
}

MathValue arc_tangent(Algebra& algebra, const MathValue& value) {
  const auto known = angle_with(algebra, value, -29, 29, [&algebra](const mpq_class& turns) {
    return algebra.quotient(sine_of_turns(algebra, turns), sine_of_turns(algebra, fraction(1, 2) - turns));
  });
  return known ? *known : algebra.symmetric_function("arctan", value, -1);
}

}  // namespace paretofl
