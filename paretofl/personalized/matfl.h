#pragma once

#include "paretofl/personalized/personalized.h"

namespace paretofl {

struct MatFlOptions {
  PersonalizedOptions base;
  std::int64_t neighbours = 3;  ///< k

  void describe(OptionVisitor& visit);
};

/// MaT-FL (Cai et al. 2023) of clients with private preferences, a baseline of FedPref, Section 4.2.1: every client's
/// model is averaged with those of the k clients most similar to it (neighbour_averaging.h).
Strategy make_matfl(const MatFlOptions& options, const Workload& workload);

}  // namespace paretofl
