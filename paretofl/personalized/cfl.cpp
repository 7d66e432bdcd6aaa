#include "paretofl/personalized/cfl.h"

namespace paretofl {

void CflOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  clusters.describe(visit);
}

Strategy make_cfl(const CflOptions& options, const Workload& workload) {
  return make_personalized(options.base, std::make_unique<ClusteredAveraging>(options.clusters, workload.num_clients()), workload);
}

}  // namespace paretofl
