#include "paretofl/aggregators/coordinate_median.h"

#include "paretofl/aggregators/trimmed_mean.h"

namespace paretofl {

std::vector<float> CoordinateMedian::combine(Vectors vectors, std::span<const double>) const {
  return middle_mean(vectors, (vectors.size() - 1) / 2);
}

}  // namespace paretofl
