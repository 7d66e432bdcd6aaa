#include "paretofl/aggregators/geometric_median.h"

#include <algorithm>
#include <limits>

#include "paretofl/aggregators/trimmed_mean.h"
#include "paretofl/aggregators/vector_norms.h"

namespace paretofl {

std::vector<float> GeometricMedian::combine(Vectors vectors, std::span<const double>) const {
  const std::vector<float> start = middle_mean(vectors, (vectors.size() - 1) / 2);
  std::vector<double> center(start.begin(), start.end());
  double last = std::numeric_limits<double>::infinity();
  for (std::int64_t iteration = 0; iteration < options_.iterations; ++iteration) {
    std::vector<double> weights;
    double sum = 0, total = 0;
    for (const std::span<const float> vector : vectors) {
      const double away = distance(vector, std::span<const double>(center));
      sum += away;
      weights.push_back(1 / std::max(options_.smoothing, away));
      total += weights.back();
    }
    if (last - sum <= options_.tolerance * last && iteration > 0) break;
    last = sum;
    std::fill(center.begin(), center.end(), 0.0);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      for (std::size_t j = 0; j < center.size(); ++j) center[j] += weights[i] / total * static_cast<double>(vectors[i][j]);
    }
  }
  return {center.begin(), center.end()};
}

}  // namespace paretofl
