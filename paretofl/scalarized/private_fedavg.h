#pragma once

#include "paretofl/scalarized/fedavg.h"

namespace paretofl {

/// FedAvg with `private_preferences` (fedavg.h): what make_fedavg returns for them.
Strategy make_private_fedavg(const FedAvgOptions& options, const Workload& workload);

}  // namespace paretofl
