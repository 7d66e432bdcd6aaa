#pragma once

#include <memory>
#include <vector>

#include "paretofl/models/head_sums.h"
#include "paretofl/models/model.h"
#include "paretofl/models/multi_head_shape.h"

namespace paretofl {

/// A model of multi_head_shape.h as rooms without kernels/lanes.h see it.
class MultiHeadModel : public Model {
 public:
  /// Adds what the batch contributes to the sums [M].
  virtual void add_sums(std::span<const float> parameters, const Batch& batch, std::span<HeadSums> sums) = 0;
};

/// A MultiHeadNet. Throws Error for shapes and heads that multi_head_layout refuses.
std::unique_ptr<MultiHeadModel> make_multi_head_net(const MultiHeadShape& shape, const std::vector<Head>& heads);

}  // namespace paretofl
