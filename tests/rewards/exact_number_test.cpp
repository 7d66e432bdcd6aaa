#include "paretofl/rewards/exact_number.h"

#include <gtest/gtest.h>

#include <limits>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

ExactNumber number(std::int64_t numerator, std::int64_t denominator = 1) { return ExactNumber::ratio(numerator, denominator).value(); }

TEST(ExactNumber, IsInLowestTerms) {
  EXPECT_EQ(number(6, -4), number(-3, 2));
  EXPECT_EQ(number(-3, 2).denominator(), 2);
  EXPECT_EQ(number(0, -7), number(0));
  EXPECT_FALSE(ExactNumber::ratio(1, 0));
  EXPECT_FALSE(ExactNumber::ratio(kLeast, 1));
  EXPECT_FALSE(ExactNumber::ratio(1, kLeast));
}

TEST(ExactNumber, ReadsDecimals) {
  EXPECT_EQ(ExactNumber::decimal("12.50"), number(25, 2));
  EXPECT_EQ(ExactNumber::decimal(".5"), number(1, 2));
  EXPECT_EQ(ExactNumber::decimal("5."), number(5));
  EXPECT_EQ(ExactNumber::decimal("0.0"), number(0));
  EXPECT_EQ(ExactNumber::decimal("000012"), number(12));
  EXPECT_EQ(ExactNumber::decimal("9223372036854775807"), number(kMost));
  for (const char* text : {"", ".", "1.2.3", "-1", "1e3", " 1", "9223372036854775808", "99999999999999999999999999999999999999999999"}) {
    EXPECT_FALSE(ExactNumber::decimal(text)) << text;
  }
}

TEST(ExactNumber, ObeysTheLawsOfAField) {
  Random random({1}, "fractions");
  const auto draw = [&] {
    return number(static_cast<std::int64_t>(random.below(2001)) - 1000, 1 + static_cast<std::int64_t>(random.below(50)));
  };
  for (int i = 0; i < 200; ++i) {
    const ExactNumber a = draw();
    const ExactNumber b = draw();
    const ExactNumber c = draw();
    EXPECT_EQ(sum(a, b), sum(b, a));
    EXPECT_EQ(sum(*sum(a, b), c), sum(a, *sum(b, c)));
    EXPECT_EQ(product(*product(a, b), c), product(a, *product(b, c)));
    EXPECT_EQ(product(a, *sum(b, c)), sum(*product(a, b), *product(a, c)));
    if (b.numerator() == 0) continue;
    EXPECT_EQ(product(*quotient(a, b), b), a);
  }
}

TEST(ExactNumber, SaysWhatDoesNotFit) {
  EXPECT_EQ(sum(number(kMost), number(-1)), number(kMost - 1));
  EXPECT_FALSE(sum(number(kMost), number(1)));
  EXPECT_FALSE(sum(number(1, kMost), number(1, kMost - 1)));
  EXPECT_FALSE(product(number(kMost), number(2)));
  EXPECT_EQ(product(number(kMost), number(1, kMost)), number(1));
  EXPECT_FALSE(quotient(number(1), number(0)));
  EXPECT_EQ(quotient(number(kMost), number(-kMost)), number(-1));
}

}  // namespace
}  // namespace paretofl
