#include "paretofl/aggregators/weighted_mean.h"

namespace paretofl {

std::vector<float> WeightedMean::combine(Vectors vectors, std::span<const double> shares) const {
  std::vector<float> mean(vectors.front().size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto share = static_cast<float>(shares[i]);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += share * vectors[i][j];
  }
  return mean;
}

}  // namespace paretofl
