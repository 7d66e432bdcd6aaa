#include "paretofl/aggregators/trimmed_mean.h"

#include <algorithm>

#include "paretofl/core/whole_share.h"

namespace paretofl {

std::vector<float> TrimmedMean::combine(Vectors vectors, std::span<const double>) const {
  return middle_mean(vectors, whole_share(options_.trim, vectors.size()));
}

std::vector<float> middle_mean(Vectors vectors, std::size_t low) {
  std::vector<float> mean(vectors.front().size());
  std::vector<float> numbers(vectors.size());
  const auto count = static_cast<double>(vectors.size() - 2 * low);
  for (std::size_t j = 0; j < mean.size(); ++j) {
    for (std::size_t i = 0; i < vectors.size(); ++i) numbers[i] = vectors[i][j];
    std::sort(numbers.begin(), numbers.end());
    double sum = 0;
    for (std::size_t i = low; i < numbers.size() - low; ++i) sum += numbers[i];
    // Rounding must not leave the range.
    mean[j] = std::clamp(static_cast<float>(sum / count), numbers[low], numbers[numbers.size() - 1 - low]);
  }
  return mean;
}

}  // namespace paretofl
