#include "paretofl/personalized/fedpref.h"

namespace paretofl {

void FedPrefOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  clusters.describe(visit);
}

Strategy make_fedpref(const FedPrefOptions& options, const Workload& workload) {
  return make_personalized(options.base, std::make_unique<RecursiveClustering>(options.clusters, workload.num_clients()), workload);
}

}  // namespace paretofl
