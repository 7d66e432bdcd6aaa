#include "paretofl/optimization/cross_products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<float> noise(std::size_t count, std::uint64_t seed) {
  Random random({seed}, "rows");
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

// One product after the other, to the bit: counts of rows and columns around the tiles' and blocks' sizes.
TEST(CrossProducts, SumInColumnOrder) {
  for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 40U}) {
    for (const std::size_t columns : {0U, 1U, 255U, 256U, 257U, 1000U}) {
      const std::vector<float> a = noise(rows * columns, 1), b = noise(rows * columns, 2);
      const std::vector<double> products = cross_products(a, b, rows);
      ASSERT_EQ(products.size(), rows * rows);
      for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t l = 0; l < rows; ++l) {
          double sum = 0;
          for (std::size_t j = 0; j < columns; ++j)
            sum += static_cast<double>(a[k * columns + j]) * static_cast<double>(b[l * columns + j]);
          ASSERT_EQ(products[k * rows + l], sum) << rows << " x " << columns << " at " << k << ", " << l;
        }
      }
    }
  }
}

TEST(CrossProducts, RejectUnequalJacobians) {
  EXPECT_THAT([] { cross_products(std::vector<float>(6), std::vector<float>(4), 2); },
              ThrowsMessage<Error>(HasSubstr("expected two jacobians of 2 equal rows, found 6 and 4 entries")));
  EXPECT_THROW(cross_products(std::vector<float>(5), std::vector<float>(5), 2), Error);
}

}  // namespace
}  // namespace paretofl
