#include "paretofl/tables/decimal.h"

#include <gtest/gtest.h>

#include <vector>

namespace paretofl {
namespace {

TEST(Decimal, IsTheSameHoweverItIsWritten) {
  for (const char* one : {"+1", "01", "1.", "1.0", "1e0", "1E+00", "10e-1", "0.1e1", ".1e1", "+0001.000"}) {
    EXPECT_EQ(decimal_of(one), decimal_of("1")) << one;
  }
  for (const char* zero : {"-0", "+0", "0.0", "0e5", "-.0"}) EXPECT_EQ(decimal_of(zero), decimal_of("0")) << zero;
  EXPECT_NE(decimal_of("-1"), decimal_of("1"));
}

TEST(Decimal, HasTheOrderOfNumbersWithoutRounding) {
  const std::vector<const char*> sorted{
      "-1e400", "-9007199254740993", "-9007199254740992", "-2",   "-1.5", "-1e-400", "0", "1e-400", "0.25", "0.5", "1", "+2",
      "10",     "9007199254740992",  "9007199254740993",  "1e400"};
  for (std::size_t a = 0; a < sorted.size(); ++a) {
    for (std::size_t b = 0; b < sorted.size(); ++b) {
      EXPECT_EQ(*decimal_of(sorted[a]) <=> *decimal_of(sorted[b]), a <=> b) << sorted[a] << " " << sorted[b];
    }
  }
}

TEST(Decimal, OtherTextsAreNoNumbers) {
  for (const char* text : {"", "+", "-", ".", "e1", "1e", "1e+", "1.2.3", "--1", "+-1", "0x1", "1 ", "inf", "nan", "1,5"}) {
    EXPECT_FALSE(decimal_of(text)) << text;
  }
}

}  // namespace
}  // namespace paretofl
