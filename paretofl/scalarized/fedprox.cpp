#include "paretofl/scalarized/fedprox.h"

namespace paretofl {

void FedProxOptions::describe(OptionVisitor& visit) {
  visit.real("mu", mu, 0, kInfinity, "weight of the proximal term mu / 2 ||x - x_t||^2");
  base.describe(visit);
}

Strategy make_fedprox(const FedProxOptions& options, const Workload& workload) {
  FedAvgOptions fedavg = options.base;
  fedavg.base.local.proximal = options.mu;
  return make_fedavg(fedavg, workload);
}

}  // namespace paretofl
