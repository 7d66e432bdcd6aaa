#include "paretofl/report/rounded.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace paretofl {
namespace {

TEST(Rounded, KeepsSoManyDigits) {
  EXPECT_EQ(rounded(1234.5678, 5), 1234.6);
  EXPECT_EQ(rounded(-0.00012345, 2), -0.00012);
  EXPECT_EQ(rounded(0, 4), 0.0);
  EXPECT_TRUE(rounded(NAN, 4).is_null());
  EXPECT_TRUE(rounded(-INFINITY, 4).is_null());
}

TEST(Rounded, HasTheWholeRangeOfDoubles) {
  EXPECT_NEAR(rounded(7.9e-312, 4).get<double>(), 7.9e-312, 1e-315);
  EXPECT_EQ(rounded(std::numeric_limits<double>::denorm_min(), 4), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(rounded(std::numeric_limits<double>::max(), 4), std::numeric_limits<double>::max());
}

}  // namespace
}  // namespace paretofl
