#include "paretofl/terminal/sparkline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace paretofl {
namespace {

TEST(Sparkline, IsAsHighAsTheValues) {
  EXPECT_EQ(sparkline({0, 0.5, 1}, 0, 1, 10), "▁▅█");
  EXPECT_EQ(sparkline({-1, NAN, 2}, 0, 1, 10), "▁ █");
  EXPECT_EQ(sparkline({3, 3}, 3, 3, 10), "▅▅") << "no range: in the middle";
  EXPECT_EQ(sparkline({}, 0, 1, 10), "");
}

TEST(Sparkline, KeepsBothEndsWhereItIsThinned) {
  EXPECT_EQ(sparkline({1, 0, 0, 0, 0, 0, 1}, 0, 1, 3), "█▁█");
  EXPECT_EQ(sparkline({0, 0, 1}, 0, 1, 1), "█") << "the last one, where there is room for one";
}

}  // namespace
}  // namespace paretofl
