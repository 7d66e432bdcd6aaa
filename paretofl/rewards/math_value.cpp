#include "paretofl/rewards/math_value.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "paretofl/core/random.h"
#include "paretofl/rewards/math_words.h"

namespace paretofl {
namespace {

constexpr double kTolerance = 1e-9;
constexpr int kMaxDepth = 200;
constexpr std::int64_t kMaxPower = 1000;

using Complex = std::complex<double>;
using Maybe = std::optional<MathValue>;

Maybe finite(Complex number) {
  if (!std::isfinite(number.real()) || !std::isfinite(number.imag())) return std::nullopt;
  return MathValue{.exact = {}, .number = number};
}

Maybe rational(const std::optional<ExactNumber>& exact) {
  if (!exact) return std::nullopt;
  return MathValue{.exact = exact, .number = exact->value()};
}

Maybe added(const Maybe& a, const Maybe& b) {
  if (!a || !b) return std::nullopt;
  return a->exact && b->exact ? rational(sum(*a->exact, *b->exact)) : finite(a->number + b->number);
}

Maybe multiplied(const Maybe& a, const Maybe& b) {
  if (!a || !b) return std::nullopt;
  return a->exact && b->exact ? rational(product(*a->exact, *b->exact)) : finite(a->number * b->number);
}

Maybe divided(const Maybe& a, const Maybe& b) {
  if (!a || !b || b->number == 0.0) return std::nullopt;
  return a->exact && b->exact ? rational(quotient(*a->exact, *b->exact)) : finite(a->number / b->number);
}

// A whole power by repeated squaring.
Maybe whole_power(Maybe base, std::int64_t exponent) {
  if (std::abs(exponent) > kMaxPower) return std::nullopt;
  Maybe result = rational(ExactNumber(1));
  for (std::int64_t rest = std::abs(exponent); rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = multiplied(result, base);
    if (rest > 1) base = multiplied(base, base);
  }
  return exponent < 0 ? divided(rational(ExactNumber(1)), result) : result;
}

// The whole number whose n-th power this is.
std::optional<std::int64_t> whole_root(std::int64_t number, std::int64_t n) {
  const std::int64_t root = std::llround(std::pow(static_cast<double>(number), 1 / static_cast<double>(n)));
  const Maybe power = whole_power(rational(ExactNumber(root)), n);
  return power && power->exact == ExactNumber(number) ? std::optional(root) : std::nullopt;
}

// The principal root, and of negative numbers the real one where n is odd.
Maybe root_of(const Maybe& base, std::int64_t n) {
  if (!base || n < 2 || n > kMaxPower) return std::nullopt;
  const bool real = base->number.imag() == 0;
  if (real && base->number.real() < 0 && n % 2 == 1) {
    const Maybe minus = rational(ExactNumber(-1));
    return multiplied(minus, root_of(multiplied(minus, base), n));
  }
  if (real && base->number.real() >= 0) {
    if (base->exact) {
      const auto above = whole_root(base->exact->numerator(), n);
      const auto below = whole_root(base->exact->denominator(), n);
      if (above && below) return rational(ExactNumber::ratio(*above, *below));
    }
    return finite(n == 2 ? std::sqrt(base->number.real()) : std::pow(base->number.real(), 1 / static_cast<double>(n)));
  }
  return n == 2 ? finite(std::sqrt(base->number)) : std::nullopt;
}

Maybe power_of(const Maybe& base, const Maybe& exponent) {
  if (!base || !exponent) return std::nullopt;
  if (exponent->exact) {
    const Maybe root = exponent->exact->denominator() == 1 ? base : root_of(base, exponent->exact->denominator());
    return whole_power(root, exponent->exact->numerator());
  }
  const bool real = base->number.imag() == 0 && base->number.real() > 0 && exponent->number.imag() == 0;
  return real ? finite(std::pow(base->number.real(), exponent->number.real())) : std::nullopt;
}

bool is_digit(std::string_view token) { return token.size() == 1 && token[0] >= '0' && token[0] <= '9'; }

// Recursive descent. What fails leaves no value, which no later part turns into one.
class Evaluator {
 public:
  Evaluator(MathSpan tokens, std::optional<unsigned> point) : tokens_(tokens), point_(point) {}

  Maybe whole() {
    Maybe value = expression();
    return at_ == tokens_.size() ? value : std::nullopt;
  }

 private:
  std::string_view peek() const { return at_ < tokens_.size() ? tokens_[at_] : std::string_view(); }
  bool take(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }

  Maybe expression() {
    if (++depth_ > kMaxDepth) return std::nullopt;
    const bool negative = take("-");
    if (!negative) take("+");
    Maybe total = term();
    int terms = total ? total->terms : 0;
    int factors = total ? total->factors : 0;
    if (negative) total = multiplied(rational(ExactNumber(-1)), total);
    while (total && (peek() == "+" || peek() == "-")) {
      const bool minus = tokens_[at_++] == "-";
      const Maybe next = term();
      if (!next) return std::nullopt;
      terms += next->terms;
      factors = 0;
      total = added(total, minus ? multiplied(rational(ExactNumber(-1)), next) : next);
    }
    --depth_;
    if (total) {
      total->terms = terms;
      total->factors = factors;
    }
    return total;
  }

  static int sums_in(const MathValue& value) { return value.terms > 1 ? 1 : value.factors; }

  Maybe term() {
    Maybe total = power();
    while (total) {
      const bool divides = take("/");
      if (!divides && !take("*") && !begins_factor()) break;
      const Maybe next = power();
      if (!next) return std::nullopt;
      const int factors = sums_in(*total) + sums_in(*next);
      total = divides ? divided(total, next) : multiplied(total, next);
      if (total) total->factors = factors;
    }
    return total;
  }

  bool begins_factor() const {
    const std::string_view token = peek();
    return is_digit(token) || token == "." || token == "(" || token == "{" || token == "\\frac" || token == "\\sqrt" || token == "\\pi" ||
           is_variable(token);
  }

  Maybe power() {
    const Maybe base = factor();
    if (!base || !take("^")) return base;
    const bool negative = take("-");
    Maybe exponent = argument();
    if (negative) exponent = multiplied(rational(ExactNumber(-1)), exponent);
    Maybe result = power_of(base, exponent);
    if (result) result->factors = sums_in(*base);
    return result;
  }

  Maybe factor() {
    if (is_digit(peek()) || peek() == ".") return number();
    return argument();
  }

  // Digits with a point, or a mixed number: a whole one before a proper fraction of digits.
  Maybe number() {
    std::string digits;
    while (is_digit(peek()) || peek() == ".") digits += tokens_[at_++];
    const Maybe value = rational(ExactNumber::decimal(digits));
    if (!value || value->exact->denominator() != 1 || peek() != "\\frac") return value;
    const std::size_t begin = at_;
    ++at_;
    const Maybe above = digits_argument();
    const Maybe below = digits_argument();
    if (above && below && above->number.real() < below->number.real()) return added(value, divided(above, below));
    at_ = begin;
    return value;
  }

  Maybe digits_argument() {
    std::string digits;
    if (take("{")) {
      while (is_digit(peek())) digits += tokens_[at_++];
      if (!take("}")) return std::nullopt;
    } else if (is_digit(peek())) {
      digits = tokens_[at_++];
    }
    return rational(ExactNumber::decimal(digits));
  }

  Maybe group(std::string_view end) {
    Maybe value = expression();
    return take(end) ? value : std::nullopt;
  }

  // One token or group, as LaTeX takes an argument.
  Maybe argument() {
    if (at_ == tokens_.size() || ++depth_ > kMaxDepth) return std::nullopt;
    const std::string_view token = tokens_[at_++];
    Maybe value;
    if (token == "{") {
      value = group("}");
    } else if (token == "(") {
      value = group(")");
    } else if (is_digit(token)) {
      value = rational(ExactNumber::decimal(token));
    } else if (token == "\\frac") {
      const Maybe above = argument();
      const Maybe below = argument();
      value = divided(above, below);
      if (value) value->factors = sums_in(*above) + sums_in(*below);
    } else if (token == "\\sqrt") {
      const Maybe degree = take("[") ? group("]") : rational(ExactNumber(2));
      const Maybe base = argument();
      if (degree && degree->exact && degree->exact->denominator() == 1) value = root_of(base, degree->exact->numerator());
    } else if (token == "\\pi") {
      value = finite(std::numbers::pi);
    } else if (token == "i") {
      value = finite({0, 1});
    } else if (point_ && is_variable(token)) {
      value = finite(Random({.seed = *point_}, token).uniform(1, 2));
    }
    --depth_;
    return value;
  }

  MathSpan tokens_;
  std::optional<unsigned> point_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<MathValue> math_value(MathSpan tokens) { return Evaluator(tokens, std::nullopt).whole(); }

std::optional<MathValue> math_value_at(MathSpan tokens, unsigned point) { return Evaluator(tokens, point).whole(); }

bool same_value(const MathValue& a, const MathValue& b) {
  if (a.exact && b.exact) return *a.exact == *b.exact;
  return std::abs(a.number - b.number) <= kTolerance * std::max(std::abs(a.number), std::abs(b.number));
}

}  // namespace paretofl
