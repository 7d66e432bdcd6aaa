#include "paretofl/tables/missing_column.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(MissingColumn, AnotherSeparatorIsNamed) {
  EXPECT_EQ(missing_column_hint("price", {"area;price"}),
            "; the only column is 'area;price', which workload.separator = \"semicolon\" takes apart");
  EXPECT_EQ(missing_column_hint("price", {"area\tprice"}),
            "; the only column is 'area\\tprice', which workload.separator = \"tab\" takes apart");
  EXPECT_EQ(missing_column_hint("a", {"a,b"}), "; the only column is 'a,b', which workload.separator = \"comma\" takes apart");
}

TEST(MissingColumn, OtherwiseANearNameOrTheColumnsAreNamed) {
  EXPECT_EQ(missing_column_hint("prize", {"area", "price"}), "; did you mean 'price'?");
  EXPECT_EQ(missing_column_hint("prize", {"price"}), "; did you mean 'price'?");
  EXPECT_EQ(missing_column_hint("price", {"age"}), "; the only column is 'age'");
  EXPECT_EQ(missing_column_hint("price", {"area", "a;b"}), "; the columns are 'area', 'a;b'");
  const std::vector<std::string> many(14, "x");
  EXPECT_TRUE(missing_column_hint("price", many).ends_with("'x', 'x' and 2 more"));
}

}  // namespace
}  // namespace paretofl
