#include "paretofl/objectives/igd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {

double inverted_generational_distance(const PointSet& points, const PointSet& reference_front) {
  expect(points.objectives() == reference_front.objectives(), "igd: expected a reference front of {} objectives, found {}",
         points.objectives(), reference_front.objectives());
  expect(points.size() > 0, "igd: expected at least 1 point, found 0");
  expect(reference_front.size() > 0, "igd: expected a reference front of at least 1 point, found 0");
  double sum = 0;
  for (std::size_t r = 0; r < reference_front.size(); ++r) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      double squared = 0;
      for (std::size_t k = 0; k < points.objectives(); ++k) {
        const double gap = points[i][k] - reference_front[r][k];
        squared += gap * gap;
      }
      nearest = std::min(nearest, squared);
    }
    sum += std::sqrt(nearest);
  }
  expect(std::isfinite(sum), "igd: expected squared distances within a double's range, found {}", sum);
  return sum / static_cast<double>(reference_front.size());
}

}  // namespace paretofl
