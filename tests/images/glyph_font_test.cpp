#include "paretofl/images/glyph_font.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

TEST(GlyphFont, FillsTheUnitSquareUpright) {
  for (int digit = 0; digit < 10; ++digit) {
    float left = 1, right = 0, top = 1, bottom = 0;
    for (const GlyphStroke& stroke : glyph_strokes(digit)) {
      EXPECT_GE(stroke.size(), 2U);
      for (const GlyphPoint& point : stroke) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
      }
    }
    EXPECT_GE(left, 0) << digit;
    EXPECT_LE(right, 1) << digit;
    EXPECT_GT(right - left, 0.25) << digit;
    EXPECT_NEAR(top, 0.02, 0.02) << digit;
    EXPECT_NEAR(bottom, 0.98, 0.02) << digit;
  }
}

TEST(GlyphFont, HasTenDigits) {
  EXPECT_THROW(glyph_strokes(-1), Error);
  EXPECT_THROW(glyph_strokes(10), Error);
}

}  // namespace
}  // namespace paretofl
