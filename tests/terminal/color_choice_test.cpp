#include "paretofl/terminal/color_choice.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(ColorChoice, OnlyTerminalsGetColoursAndNoColorRefusesThem) {
  EXPECT_TRUE(takes_color(true, nullptr, "xterm"));
  EXPECT_TRUE(takes_color(true, nullptr, nullptr));
  EXPECT_TRUE(takes_color(true, "", "xterm"));
  EXPECT_FALSE(takes_color(true, "1", "xterm"));
  EXPECT_FALSE(takes_color(true, "0", "xterm"));
  EXPECT_FALSE(takes_color(true, nullptr, "dumb"));
  EXPECT_FALSE(takes_color(false, nullptr, "xterm"));
}

}  // namespace
}  // namespace paretofl
