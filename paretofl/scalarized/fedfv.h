#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct FedFvOptions {
  ScalarizedOptions base;
  double server_lr = 1;
  double kept_share = 0.1;
  std::int64_t memory = 1;
  std::string losses = "minibatch";

  void describe(OptionVisitor& visit);
};

/// FedFV (Wang, Fan, Qi, Wen, Wang and Yu 2021, "Federated Learning with Fair Averaging", Algorithms 1 to 3). Internal conflicts: in the
/// order of ascending losses, every client's update but those of the `kept_share` (alpha) of the cohort with the largest losses is
/// projected on the normal plane of each other update that it conflicts with, <u_i, u_j> < 0; the results are averaged (Algorithm 2).
/// External conflicts: for each of the `memory` (tau) rounds before, the oldest first, the last updates of clients that took part then and
/// not since are added up where they conflict with the mean, and the mean is projected on the normal plane of that sum (Algorithm 3). At
/// last the direction gets the length of the plain mean of the updates (Algorithm 1).
///
/// The last updates of clients, of the last `memory` rounds, are the server's state. Records internal_conflicts and external_conflicts,
/// the numbers of projections and of conflicting clients of earlier rounds.
Strategy make_fedfv(const FedFvOptions& options, const Workload& workload);

}  // namespace paretofl
