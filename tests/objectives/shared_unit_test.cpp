#include "paretofl/objectives/shared_unit.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(SharedUnit, ReturnsRewardsAndErrorsOfTargetsHaveUnitsOfTheirOwn) {
  for (const char* metric : {"loss", "accuracy", "perplexity"}) EXPECT_TRUE(has_shared_unit(metric)) << metric;
  for (const char* metric : {"return", "reward", "discounted_return", "mae"}) EXPECT_FALSE(has_shared_unit(metric)) << metric;
}

}  // namespace
}  // namespace paretofl
