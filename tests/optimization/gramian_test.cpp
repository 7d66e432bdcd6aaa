#include "paretofl/optimization/gramian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

std::string message_of(std::size_t objectives, std::vector<double> values) {
  try {
    const Gramian gramian(objectives, std::move(values));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Gramian, RowsInDoublePrecision) {
  for (const std::size_t objectives : {1, 2, 3, 4, 7, 40}) {
    for (const std::size_t columns : {0, 1, 7, 8, 9, 100, 2048, 5000}) {
      Random random({columns, 0, static_cast<std::uint32_t>(objectives)}, "rows");
      std::vector<float> jacobian(objectives * columns);
      for (float& value : jacobian) value = static_cast<float>(random.normal() * std::pow(10, random.uniform(-3, 3)));
      const Gramian gramian = gramian_of_rows(jacobian, objectives);
      ASSERT_EQ(gramian.objectives(), objectives);
      for (std::size_t i = 0; i < objectives; ++i) {
        for (std::size_t j = 0; j < objectives; ++j) {
          long double exact = 0;
          long double magnitude = 0;
          for (std::size_t k = 0; k < columns; ++k) {
            const long double product = static_cast<long double>(jacobian[i * columns + k]) * jacobian[j * columns + k];
            exact += product;
            magnitude += std::abs(product);
          }
          ASSERT_NEAR(gramian(i, j), static_cast<double>(exact), 1e-14 * static_cast<double>(magnitude)) << objectives << " x " << columns;
          ASSERT_EQ(gramian(i, j), gramian(j, i));
        }
      }
    }
  }
}

// The order of the sums is part of the determinism contract: no machine, compiler or vector width may
// change it. This repeats it one operation at a time.
TEST(Gramian, SumsInTheDocumentedOrder) {
  constexpr std::size_t kColumns = 5003;
  Random random({1, 0, 0}, "rows");
  std::vector<float> jacobian(3 * kColumns);
  for (float& value : jacobian) value = static_cast<float>(random.normal());
  const Gramian gramian = gramian_of_rows(jacobian, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      volatile double total = 0;
      for (std::size_t start = 0; start < kColumns; start += 2048) {
        volatile double lanes[8] = {};
        for (std::size_t k = start; k < std::min(start + 2048, kColumns); ++k) {
          const volatile double product = static_cast<double>(jacobian[i * kColumns + k]) * static_cast<double>(jacobian[j * kColumns + k]);
          lanes[k % 8] = lanes[k % 8] + product;
        }
        total = total + (((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])));
      }
      EXPECT_EQ(gramian(i, j), total);
    }
  }
}

TEST(Gramian, SymmetrizesAndSums) {
  const Gramian gramian(2, {3, 1, 1 + 1e-12, 5});
  EXPECT_EQ(gramian(0, 1), gramian(1, 0));
  EXPECT_EQ(gramian.trace(), 8);
}

TEST(Gramian, RejectsWhatIsNoGramian) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of(0, {}), "gramian: expected at least one objective, found none");
  EXPECT_EQ(message_of(2, {1, 2, 3}), "gramian: expected 2 x 2 entries, found 3");
  EXPECT_EQ(message_of(2, {1, nan, nan, 1}), "gramian: expected finite entries, found nan at (0, 1)");
  EXPECT_EQ(message_of(2, {1, 0, 0, infinity}), "gramian: expected finite entries, found inf at (1, 1)");
  EXPECT_EQ(message_of(2, {1, 2, 3, 1}), "gramian: expected a symmetric matrix, found 3 at (1, 0) and 2 at (0, 1)");
  EXPECT_EQ(message_of(2, {1, 0, 0, -1}), "gramian: expected a non-negative diagonal, found -1 at (1, 1)");
  // Asymmetric in the small entries only.
  EXPECT_NE(message_of(3, {1e24, 0, 0, 0, 1, 0.1, 0, 0.2, 1}), "");
  EXPECT_EQ(message_of(3, {1e24, 1e12, 0, 1e12 + 1, 1, 0.1, 0, 0.1, 1}), "");
  EXPECT_EQ(message_of(2, {1, 0, 0, -1e-12}), "");
  EXPECT_THROW(gramian_of_rows(std::vector<float>(5), 2), Error);
  EXPECT_THROW(gramian_of_rows({}, 0), Error);
}

}  // namespace
}  // namespace paretofl
