#include "paretofl/text/held_out.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(HeldOut, IsTheLastOfEverySoManyDistinctTextsWhereverItAppears) {
  HeldOut held_out(3);
  for (const std::string text : {"a", "b", "a", "a"}) EXPECT_FALSE(held_out(text)) << text;
  EXPECT_TRUE(held_out("c"));
  for (const std::string text : {"d", "a", "e"}) EXPECT_FALSE(held_out(text)) << text;
  EXPECT_TRUE(held_out("c"));
  EXPECT_TRUE(held_out("f"));
  EXPECT_FALSE(held_out("e"));
}

}  // namespace
}  // namespace paretofl
