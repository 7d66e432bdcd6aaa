#include "paretofl/kernels/many_draws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace paretofl {
namespace {

TEST(ManyDraws, AreTheBitsOfSingleDraws) {
  const Random fresh({0x123456789abcdefU, 7, 3}, "draws");
  std::vector<std::uint32_t> expected(1000);
  Random single = fresh;
  for (std::uint32_t& draw : expected) draw = single();
  for (const std::size_t first : {0U, 4U, 60U, 64U, 500U}) {
    for (const std::size_t count : {0U, 1U, 3U, 4U, 63U, 64U, 65U, 129U, 500U}) {
      std::vector<std::uint32_t> draws(count);
      many_draws(fresh, first, draws);
      EXPECT_THAT(draws, testing::ElementsAreArray(expected.begin() + first, expected.begin() + first + count)) << first;
    }
  }
}

TEST(ManyDraws, LeaveTheStreamAsItIs) {
  const Random fresh({5}, "draws");
  std::vector<std::uint32_t> draws(100);
  many_draws(fresh, 0, draws);
  EXPECT_EQ(Random(fresh)(), draws[0]);
}

}  // namespace
}  // namespace paretofl
