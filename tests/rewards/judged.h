#pragma once

#include <string>
#include <vector>

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// What a reward gives one completion.
inline double judged(const Reward& reward, const std::string& completion, const std::string& reference = {}) {
  const Answer answer{"prompt", completion, reference};
  return reward.scores({&answer, 1}).at(0);
}

}  // namespace paretofl
