#pragma once

#include "paretofl/scalarized/fedavg.h"

namespace paretofl {

struct SingleObjectiveOptions {
  FedAvgOptions base;
  std::int64_t objective = 0;

  void describe(OptionVisitor& visit);
};

/// FedAvg on one objective alone: the reference S_B of Delta_M. The other objectives' heads stay as
/// initialized.
Strategy make_single_objective(const SingleObjectiveOptions& options, const Workload& workload);

}  // namespace paretofl
