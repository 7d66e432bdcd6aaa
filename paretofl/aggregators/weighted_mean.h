#pragma once

#include "paretofl/aggregators/aggregator.h"

namespace paretofl {

/// sum_i share_i v_i. One bad client can move it anywhere.
class WeightedMean : public Aggregator {
 public:
  std::vector<float> combine(Vectors vectors, std::span<const double> shares) const override;
  bool is_mean() const override { return true; }
};

}  // namespace paretofl
