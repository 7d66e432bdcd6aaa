#include "paretofl/core/whole_share.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(WholeShare, IsRoundedDown) {
  EXPECT_EQ(whole_share(0.5, 5), 2U);
  EXPECT_EQ(whole_share(0.999, 100), 99U);
  EXPECT_EQ(whole_share(0, 7), 0U);
  EXPECT_EQ(whole_share(1, 7), 7U);
}

TEST(WholeShare, HundredthsOfThousandsAreWhole) {
  for (std::size_t percent = 0; percent <= 100; ++percent) {
    for (std::size_t hundreds = 1; hundreds <= 1000; ++hundreds) {
      ASSERT_EQ(whole_share(static_cast<double>(percent) / 100, 100 * hundreds), percent * hundreds) << percent;
    }
  }
}

}  // namespace
}  // namespace paretofl
