#pragma once

#include <cstdint>

#include "paretofl/alignment/dpo_loss.h"

namespace paretofl {

/// Direct preference optimization (Rafailov et al. 2023) at a client.
struct DpoOptions {
  std::int64_t batch_size = 8;  ///< pairs of each dimension in a minibatch
  DpoRuleOptions loss = {};

  void describe(OptionVisitor& visit);
};

}  // namespace paretofl
