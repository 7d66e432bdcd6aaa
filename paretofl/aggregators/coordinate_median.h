#pragma once

#include "paretofl/aggregators/aggregator.h"

namespace paretofl {

/// Coordinate-wise median (Yin et al. 2018, Definition 1); of an even number of clients, the mean of the two in the middle. With fewer than
/// half of the clients bad, each coordinate stays within the range of the good ones' numbers. Shares are not heeded: all clients count
/// alike.
class CoordinateMedian : public Aggregator {
 public:
  std::vector<float> combine(Vectors vectors, std::span<const double> shares) const override;
};

}  // namespace paretofl
