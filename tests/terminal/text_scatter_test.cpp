#include "paretofl/terminal/text_scatter.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

// The dotted line borders what the front dominates: below and left of it where higher is better.
TEST(TextScatter, HigherIsBetter) {
  const ScatterOptions options{.x_name = "x", .y_name = "y", .width = 30, .height = 6};
  EXPECT_EQ(text_scatter({{0, 2, 'A', true}, {1, 1, 'B', true}, {0.5, 0, 'C'}}, options), R"(y
 2.1 ┤ A
     │ ·
     │ ····················B
     │
     │
-0.1 ┤           C
     └┬──────────────────────
      -0.05
                             x
)");
}

TEST(TextScatter, LowerIsBetter) {
  const ScatterOptions options{.x_name = "x", .y_name = "y", .direction = Direction::kMinimize, .width = 30, .height = 6};
  EXPECT_EQ(text_scatter({{0, 2, 'A', true}, {1, 1, 'B', true}, {1, 2, 'C'}}, options), R"(y
2.05 ┤ A···················C
     │                     ·
     │                     ·
     │                     ·
     │                     ·
0.95 ┤                     B
     └┬──────────────────────
      -0.05
                             x
)");
}

TEST(TextScatter, PointsInOnePlaceStandSideBySide) {
  const ScatterOptions options{.x_name = "x", .y_name = "y", .width = 30, .height = 3};
  EXPECT_EQ(text_scatter({{1, 1, 'A'}, {1, 1, 'B'}, {1, 1, 'C'}}, options), R"(y
     │
     │           ABC
0.95 ┤
     └┬──────────────────────
      0.95
                             x
)");
}

}  // namespace
}  // namespace paretofl
