#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/mathematics/math_answer.h"

namespace paretofl {
namespace {

using Complex = std::complex<long double>;

// An expression that can be written in several ways, and what it is worth where the variables x and y are given.
struct Expression {
  enum class Kind { kNumber, kPi, kVariable, kSum, kProduct, kQuotient, kSquare, kRoot, kSine, kExponential, kLogarithm };
  Kind kind = Kind::kNumber;
  int number = 0;
  std::vector<Expression> parts = {};
};

using Kind = Expression::Kind;

class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed) {}

  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  Expression expression(int depth) {
    const unsigned choice = depth == 0 ? below(4) : below(14);
    if (choice < 2) return {.kind = Kind::kNumber, .number = static_cast<int>(1 + below(6))};
    if (choice == 2) return {.kind = Kind::kPi};
    if (choice == 3) return {.kind = Kind::kVariable, .number = static_cast<int>(below(2))};
    Expression result;
    result.kind = choice < 6   ? Kind::kSum
                  : choice < 8 ? Kind::kProduct
                               : static_cast<Kind>(static_cast<unsigned>(Kind::kQuotient) + choice - 8);
    const unsigned size = choice < 8 ? 2 + below(2) : choice == 8 ? 2 : 1;
    for (unsigned i = 0; i < size; ++i) result.parts.push_back(expression(depth - 1));
    return result;
  }

  // One of the ways to write it: sums and products in whatever order, functions with brackets of several kinds.
  std::string written(const Expression& expression) {
    std::vector<std::string> parts;
    for (const Expression& part : expression.parts) parts.push_back(written(part));
    const std::string bracket = below(2) == 0 ? "(" : "\\left(";
    const std::string close = bracket == "(" ? ")" : "\\right)";
    switch (expression.kind) {
      case Kind::kNumber:
        return below(4) == 0 ? std::to_string(expression.number) + ".0" : std::to_string(expression.number);
      case Kind::kPi:
        return below(2) == 0 ? "\\pi " : "\u03c0";
      case Kind::kVariable:
        return expression.number == 0 ? "x" : "y";
      case Kind::kSum:
        return bracket + joined(parts, " + ") + close;
      case Kind::kProduct:
        return joined(parts, below(2) == 0 ? "\\cdot " : " * ");
      case Kind::kQuotient:
        return (below(2) == 0 ? "\\frac{" : "\\dfrac{") + parts[0] + "}{" + parts[1] + "}";
      case Kind::kSquare:
        return bracket + parts[0] + close + "^{2}";
      case Kind::kRoot:
        return "\\sqrt{" + parts[0] + "}";
      case Kind::kSine:
        return "\\sin" + bracket + parts[0] + close;
      case Kind::kExponential:
        return "e^{" + parts[0] + "}";
      case Kind::kLogarithm:
        return "\\ln" + bracket + parts[0] + close;
    }
    return {};
  }

 private:
  std::string joined(std::vector<std::string> parts, const std::string& separator) {
    for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[below(static_cast<unsigned>(i))]);
    std::string text = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) text += separator + parts[i];
    return text;
  }

  std::mt19937 random_;
};

// A number, or none where it is undefined but for rounding.
const Complex& apart_from_zero(const Complex& number) {
  static const Complex kNone = std::nanl("");
  return std::abs(number) < 1e-12L ? kNone : number;
}

Complex value(const Expression& expression, const std::vector<long double>& variables) {
  std::vector<Complex> parts;
  for (const Expression& part : expression.parts) parts.push_back(value(part, variables));
  Complex total = expression.kind == Kind::kSum ? 0 : 1;
  switch (expression.kind) {
    case Kind::kNumber:
      return static_cast<long double>(expression.number);
    case Kind::kPi:
      return std::acos(-1.0L);
    case Kind::kVariable:
      return variables.at(static_cast<std::size_t>(expression.number));
    case Kind::kSum:
      for (const Complex& part : parts) total += part;
      return total;
    case Kind::kProduct:
      for (const Complex& part : parts) total *= part;
      return total;
    case Kind::kQuotient:
      return parts[0] / apart_from_zero(parts[1]);
    case Kind::kSquare:
      return parts[0] * parts[0];
    case Kind::kRoot:
      return std::sqrt(parts[0]);
    case Kind::kSine:
      return std::sin(parts[0]);
    case Kind::kExponential:
      return std::exp(parts[0]);
    case Kind::kLogarithm:
      return std::log(apart_from_zero(parts[0]));
  }
  return total;
}

bool is_moderate(const Complex& number) { return std::abs(number) > 1e-6L && std::abs(number) < 1e6L; }

TEST(RandomExpressions, AreTheSameInWhateverOrder) {
  Expressions source(11);
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    const Expression expression = source.expression(3);
    if (!is_moderate(value(expression, {0.7L, -1.3L})) || !is_moderate(value(expression, {-2.1L, 1.9L}))) continue;
    ++compared;
    const std::string a = source.written(expression);
    const std::string b = source.written(expression);
    EXPECT_TRUE(same_math_answer(a, b)) << a << " is " << b;
    EXPECT_FALSE(same_math_answer(a, b + "+\\frac{1}{10^{12}}")) << a;
    EXPECT_FALSE(same_math_answer("1-" + a, "1+" + b)) << a;
  }
  EXPECT_GT(compared, 250);
}

TEST(RandomExpressions, AreTheSameOnlyWithTheSameValue) {
  Expressions source(12);
  std::vector<Expression> expressions;
  while (expressions.size() < 100) {
    const Expression expression = source.expression(2);
    if (is_moderate(value(expression, {0.7L, -1.3L})) && is_moderate(value(expression, {-2.1L, 1.9L}))) expressions.push_back(expression);
  }
  int same = 0;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::string a = source.written(expressions[i]);
      const std::string b = source.written(expressions[j]);
      if (!same_math_answer(a, b)) continue;
      ++same;
      for (const std::vector<long double>& point : {std::vector<long double>{0.7L, -1.3L}, {-2.1L, 1.9L}}) {
        const Complex x = value(expressions[i], point);
        EXPECT_LT(std::abs(x - value(expressions[j], point)), 1e-9L * std::abs(x)) << a << " is not " << b;
      }
    }
  }
  EXPECT_GT(same, 5);
}

}  // namespace
}  // namespace paretofl
