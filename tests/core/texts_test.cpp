#include "paretofl/core/texts.h"

#include <gmock/gmock.h>

namespace paretofl {
namespace {

TEST(Texts, FirstDifferenceIsByName) {
  const Texts first{{"a", "1"}, {"b", "2"}, {"c", "3"}};
  EXPECT_FALSE(first_difference(first, first));
  const auto changed = first_difference(first, {{"a", "1"}, {"b", "5"}, {"c", "6"}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->name, "b");
  EXPECT_EQ(changed->first, "2");
  EXPECT_EQ(changed->second, "5");
  EXPECT_EQ(first_difference(first, {{"a", "1"}, {"c", "3"}})->second, "absent");
  EXPECT_EQ(first_difference({}, first)->first, "absent");
}

}  // namespace
}  // namespace paretofl
