#include "paretofl/rounds/rate_halving.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

void RateHalving::describe(OptionVisitor& visit) {
  visit.integer("halve_client_lr_every", every, 0, kMaxInt,
                "rounds after which the client learning rate is halved, and halved again after as many more; 0: never");
}

LocalTrainingOptions RateHalving::in_round(LocalTrainingOptions local, std::uint32_t round) const {
  constexpr std::int64_t kMost = 2000;  // halvings after which every double is 0
  if (every > 0) local.client_lr = std::ldexp(local.client_lr, -static_cast<int>(std::min((round - std::int64_t{1}) / every, kMost)));
  return local;
}

}  // namespace paretofl
