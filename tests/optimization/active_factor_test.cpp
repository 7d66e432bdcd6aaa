#include "paretofl/optimization/active_factor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "paretofl/core/random.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

// Indices enter and leave at random; the factor must keep solving with the matrix of those inside.
TEST(ActiveFactor, SolvesWhateverIsActive) {
  constexpr std::size_t kObjectives = 20;
  const Gramian matrix = gramian_of(normal_rows(1, kObjectives, 2 * kObjectives), kObjectives);
  ActiveFactor factor(kObjectives);
  std::vector<std::size_t> active;
  Random random({0, 0, 0}, "moves");
  for (int move = 0; move < 2000; ++move) {
    if (active.size() == kObjectives || (!active.empty() && random.below(5) < 2)) {
      const std::size_t position = random.below(active.size());
      factor.remove(position);
      active.erase(active.begin() + static_cast<std::ptrdiff_t>(position));
    } else {
      std::size_t index = random.below(kObjectives);
      while (std::find(active.begin(), active.end(), index) != active.end()) index = (index + 1) % kObjectives;
      std::vector<double> entries;
      for (const std::size_t j : active) entries.push_back(matrix(index, j));
      const double pivot = factor.propose(entries, matrix(index, index));
      std::vector<double> nearest(active.size());
      factor.project(nearest);
      // The pivot is the squared distance from the active gradients' span.
      double distance = matrix(index, index);
      for (std::size_t k = 0; k < active.size(); ++k) distance -= nearest[k] * entries[k];
      ASSERT_NEAR(pivot, distance, 1e-9 * matrix(index, index));
      factor.append(pivot);
      active.push_back(index);
    }
    ASSERT_EQ(factor.size(), active.size());
    std::vector<double> values(active.size());
    for (double& value : values) value = random.normal();
    const std::vector<double> wanted = values;
    factor.solve(values);
    for (std::size_t k = 0; k < active.size(); ++k) {
      double product = 0;
      for (std::size_t l = 0; l < active.size(); ++l) product += matrix(active[k], active[l]) * values[l];
      ASSERT_NEAR(product, wanted[k], 1e-9) << "move " << move;
    }
  }
}

TEST(ActiveFactor, ALargerPivotEnlargesTheDiagonal) {
  ActiveFactor factor(2);
  factor.append(factor.propose({}, 4));
  const std::vector<double> entries = {2};
  EXPECT_EQ(factor.propose(entries, 1), 0);  // the row depends on the first
  factor.append(3);
  std::vector<double> values = {4, 6};
  factor.solve(values);  // [[4, 2], [2, 4]]
  EXPECT_DOUBLE_EQ(values[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(values[1], 4.0 / 3);
}

}  // namespace
}  // namespace paretofl
