#include "paretofl/aggregators/trimmed_mean.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

std::vector<float> TrimmedMean::combine(Vectors vectors, std::span<const double>) const {
  // A product such as 0.29 * 100 may come out a little below the whole number it stands for.
  return middle_mean(vectors, static_cast<std::size_t>(std::floor(options_.trim * static_cast<double>(vectors.size()) + 1e-9)));
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
