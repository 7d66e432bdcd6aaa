#include "paretofl/objectives/sparsity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {

double sparsity(const PointSet& points) {
  if (points.size() <= 1) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < points.objectives(); ++k) {
    std::vector<double> values;
    for (std::size_t i = 0; i < points.size(); ++i) values.push_back(points[i][k]);
    std::sort(values.begin(), values.end());
    for (std::size_t i = 1; i < values.size(); ++i) sum += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  expect(std::isfinite(sum), "sparsity: expected squared gaps within a double's range, found {}", sum);
  return sum / static_cast<double>(points.size() - 1);
}

}  // namespace paretofl
