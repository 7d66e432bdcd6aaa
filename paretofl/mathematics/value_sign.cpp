#include "paretofl/mathematics/value_sign.h"

#include <mpfi.h>

#include <functional>
#include <map>
#include <string>

namespace paretofl {
namespace {

constexpr unsigned kMostDigits = 512;  // in bits

// A number between two bounds.
class Bounds {
 public:
  explicit Bounds(unsigned precision) { mpfi_init2(bounds_, precision); }
  Bounds(const Bounds& other) {
    mpfi_init2(bounds_, mpfi_get_prec(other.bounds_));
    mpfi_set(bounds_, other.bounds_);
  }
  Bounds& operator=(const Bounds& other) {
    if (this != &other) mpfi_set(bounds_, other.bounds_);
    return *this;
  }
  ~Bounds() { mpfi_clear(bounds_); }

  mpfi_ptr get() { return bounds_; }
  mpfi_srcptr get() const { return bounds_; }

 private:
  mpfi_t bounds_;
};

class Estimate {
 public:
  Estimate(Algebra& algebra, unsigned precision) : algebra_(algebra), precision_(precision) {}

  Bounds value(const MathValue& value) {
    const Bounds above = polynomial(value.above);
    const Bounds below = polynomial(value.below);
    Bounds result(precision_);
    mpfi_div(result.get(), above.get(), below.get());
    if (mpfi_bounded_p(result.get()) == 0) throw Undecided();
    return result;
  }

 private:
  Bounds polynomial(const Polynomial& polynomial) {
    Bounds total(precision_);
    mpfi_set_ui(total.get(), 0);
    for (const auto& [monomial, coefficient] : polynomial) {
      if (!coefficient.is_real()) throw Undecided();
      Bounds term(precision_);
      mpfi_set_q(term.get(), coefficient.real.get_mpq_t());
      for (const auto& [atom, exponent] : monomial) {
        const Bounds factor = power(known(atom), exponent);
        mpfi_mul(term.get(), term.get(), factor.get());
      }
      mpfi_add(total.get(), total.get(), term.get());
    }
    return total;
  }

  // Every atom is computed once, however often it stands in others.
  const Bounds& known(int number) {
    const auto found = atoms_.find(number);
    return found != atoms_.end() ? found->second : atoms_.emplace(number, atom(algebra_.atom(number))).first->second;
  }

  Bounds power(Bounds base, const mpq_class& exponent) {
    if (exponent == 1) return base;
    algebra_.spend(precision_ / 8);
    if (mpfi_is_strictly_pos(base.get()) <= 0) throw Undecided();
    Bounds factor(precision_);
    mpfi_set_q(factor.get(), exponent.get_mpq_t());
    mpfi_log(base.get(), base.get());
    mpfi_mul(base.get(), base.get(), factor.get());
    mpfi_exp(base.get(), base.get());
    return base;
  }

  Bounds atom(const MathAtom& atom) {
    algebra_.spend(precision_ / 8);
    Bounds result(precision_);
    if (atom.kind == MathAtom::Kind::kInteger) {
      mpfi_set_z(result.get(), atom.integer.get_mpz_t());
      return result;
    }
    if (atom.kind == MathAtom::Kind::kRadicand) return value(atom.arguments.at(0));
    if (atom.kind == MathAtom::Kind::kConstant && atom.name == "pi") {
      mpfi_const_pi(result.get());
      return result;
    }
    using Compute = int (*)(mpfi_ptr, mpfi_srcptr);
    static const std::map<std::string, Compute> kFunctions{{"exp", mpfi_exp}, {"ln", mpfi_log},      {"sin", mpfi_sin},
                                                           {"cos", mpfi_cos}, {"arcsin", mpfi_asin}, {"arctan", mpfi_atan},
                                                           {"abs", mpfi_abs}};
    const auto compute = kFunctions.find(atom.name);
    if (atom.kind != MathAtom::Kind::kFunction || compute == kFunctions.end() || atom.arguments.size() != 1) throw Undecided();
    Bounds argument = value(atom.arguments.front());
    Bounds size(precision_);
    mpfi_abs(size.get(), argument.get());
    if (mpfi_cmp_ui(size.get(), 1U << 20U) > 0) throw Undecided();  // no answer's, and long to compute
    compute->second(result.get(), argument.get());
    if (mpfi_nan_p(result.get()) != 0) throw Undecided();
    return result;
  }

  Algebra& algebra_;
  unsigned precision_;
  std::map<int, Bounds> atoms_;
};

// What a test finds with growing precision; it returns whether it has found something.
void with_growing_precision(Algebra& algebra, const MathValue& value, const std::function<bool(const Bounds&)>& test) {
  if (!algebra.is_constant(value)) throw Undecided();
  for (unsigned precision = 64; precision <= kMostDigits; precision *= 2) {
    if (test(Estimate(algebra, precision).value(value))) {
      mpfr_free_cache();
      return;
    }
  }
  throw Undecided();
}

}  // namespace

int sign_of(Algebra& algebra, const MathValue& value) {
  if (algebra.is_zero(value)) return 0;
  if (const auto rational = rational_of(value)) return sgn(*rational);
  int sign = 0;
  with_growing_precision(algebra, value, [&sign](const Bounds& bounds) {
    sign = mpfi_is_strictly_pos(bounds.get()) > 0 ? 1 : mpfi_is_strictly_neg(bounds.get()) > 0 ? -1 : 0;
    return sign != 0;
  });
  return sign;
}

mpz_class floor_of(Algebra& algebra, const MathValue& value) {
  mpz_class result;
  if (const auto rational = rational_of(value)) {
    mpz_fdiv_q(result.get_mpz_t(), rational->get_num_mpz_t(), rational->get_den_mpz_t());
    return result;
  }
  with_growing_precision(algebra, value, [&result](const Bounds& bounds) {
    mpfr_t bound;
    mpfr_init2(bound, mpfi_get_prec(bounds.get()));
    mpfi_get_left(bound, bounds.get());
    mpfr_get_z(result.get_mpz_t(), bound, MPFR_RNDD);
    mpfi_get_right(bound, bounds.get());
    mpz_class right;
    mpfr_get_z(right.get_mpz_t(), bound, MPFR_RNDD);
    mpfr_clear(bound);
    return right == result;
  });
  return result;
}

}  // namespace paretofl
