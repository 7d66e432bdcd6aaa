#include "paretofl/tables/natural_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace paretofl {
namespace {

TEST(NaturalOrder, NumbersCountAsNumbers) {
  const std::vector<std::string> sorted{"", "-1", "0", "00", "1", "01", "2", "10", "10a", "a", "a2", "a10", "a10b1", "b"};
  std::vector<std::string> mixed = sorted;
  std::reverse(mixed.begin(), mixed.end());
  std::sort(mixed.begin(), mixed.end(), natural_less);
  // Among texts that differ in leading zeros alone, bytes decide.
  EXPECT_EQ(mixed, (std::vector<std::string>{"", "-1", "0", "00", "01", "1", "2", "10", "10a", "a", "a2", "a10", "a10b1", "b"}));
}

TEST(NaturalOrder, IsAStrictTotalOrder) {
  const std::vector<std::string> texts{"a1", "a01", "a1b", "a01b", "a", "1", "01", "10", "9", "999999999999999999999999", "\xC3\xA9", ""};
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      EXPECT_EQ(natural_less(a, b) || natural_less(b, a), a != b) << a << " " << b;
      for (const std::string& c : texts) {
        EXPECT_TRUE(!natural_less(a, b) || !natural_less(b, c) || natural_less(a, c)) << a << " " << b << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace paretofl
