#include "paretofl/agents/distinct_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

TEST(DistinctRows, NumbersRowsByFirstAppearance) {
  DistinctRows rows;
  rows.find(std::vector<float>{1, 2, 3, 4, 1, 2, 1, 3, 3, 4}, 2);
  EXPECT_EQ(rows.count(), 3U);
  EXPECT_THAT(rows.rows(), testing::ElementsAre(1, 2, 3, 4, 1, 3));
  EXPECT_THAT(rows.index(), testing::ElementsAre(0, 1, 0, 2, 1));
  rows.find(std::vector<float>{5, 5}, 1);
  EXPECT_THAT(rows.rows(), testing::ElementsAre(5)) << "forgets the last matrix";
}

TEST(DistinctRows, PutTogetherGiveTheMatrix) {
  Random random({1}, "test");
  for (const std::uint64_t values : {1, 3, 100}) {
    std::vector<float> matrix(300);
    for (float& x : matrix) x = static_cast<float>(random.below(values));
    DistinctRows rows;
    rows.find(matrix, 3);
    ASSERT_EQ(rows.index().size(), 100U);
    for (std::size_t i = 0; i < 100; ++i) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(rows.rows()[rows.index()[i] * 3 + j], matrix[i * 3 + j]);
      EXPECT_LT(rows.index()[i], rows.count());
    }
  }
}

}  // namespace
}  // namespace paretofl
