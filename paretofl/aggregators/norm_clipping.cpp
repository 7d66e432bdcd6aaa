#include "paretofl/aggregators/norm_clipping.h"

#include <algorithm>

#include "paretofl/aggregators/vector_norms.h"

namespace paretofl {

std::vector<float> NormClipping::combine(Vectors vectors, std::span<const double> shares) const {
  std::vector<double> norms;
  for (const std::span<const float> vector : vectors) norms.push_back(norm(vector));
  double bound = options_.bound;
  if (bound == 0) {
    std::vector<double> sorted = norms;
    std::sort(sorted.begin(), sorted.end());
    bound = sorted[(sorted.size() - 1) / 2];
  }
  std::vector<float> mean(vectors.front().size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double scale = norms[i] > bound ? bound / norms[i] : 1;
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += static_cast<float>(shares[i] * scale * static_cast<double>(vectors[i][j]));
  }
  return mean;
}

}  // namespace paretofl
