#include "paretofl/classifiers/relative_buckets.h"

#include <gmock/gmock.h>

namespace paretofl {
namespace {

using testing::ElementsAre;

TEST(RelativeBuckets, NearDistancesHaveARowEach) {
  EXPECT_THAT(relative_rows(4, 16, 128), ElementsAre(13, 14, 15, 16, 17, 18, 19));
  EXPECT_THAT(relative_rows(1, 16, 128), ElementsAre(16));
}

TEST(RelativeBuckets, AreOddAscendingAndWithinTheTable) {
  for (const std::int64_t buckets : {16, 24, 256}) {
    const std::int64_t longest = 2 * buckets;
    const std::vector<std::int64_t> rows = relative_rows(longest, buckets, longest);
    ASSERT_EQ(std::ssize(rows), 2 * longest - 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_GE(rows[i], 0);
      EXPECT_LT(rows[i], 2 * buckets);
      EXPECT_GE(rows[i], rows[i > 0 ? i - 1 : 0]);
      EXPECT_EQ(rows[i] - buckets, buckets - rows[rows.size() - 1 - i]) << i;
    }
    EXPECT_EQ(rows.back(), 2 * buckets - 1) << "the longest distance has the last row";
  }
}

}  // namespace
}  // namespace paretofl
