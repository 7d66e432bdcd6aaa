#pragma once

#include <cstdint>

#include "paretofl/local/local_training.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// A client learning rate that is halved every so many rounds: in round t >= 1 it is eta_c / 2^floor((t - 1) / every). FedCMOO's paper
/// keeps the rates constant (appendix D.3); the authors' code can halve the local one each time another fifth of the run's rounds is over
/// (`local_lr_scheduler_flag`, off by default), which is `every` = rounds / 5, rounded down.
struct RateHalving {
  std::int64_t every = 0;  ///< rounds; 0: never

  void describe(OptionVisitor& visit);
  /// The options of the local steps in that round, counted from 1; rounds that were abandoned count.
  LocalTrainingOptions in_round(LocalTrainingOptions local, std::uint32_t round) const;
};

}  // namespace paretofl
