#include "paretofl/personalized/matfl.h"

#include "paretofl/aggregators/neighbour_averaging.h"

namespace paretofl {

void MatFlOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.integer("neighbours", neighbours, 1, kMaxInt, "other clients that a client votes for and is averaged with (k)");
}

Strategy make_matfl(const MatFlOptions& options, const Workload& workload) {
  return make_personalized(options.base, std::make_unique<NeighbourAveraging>(options.neighbours, workload.num_clients()), workload);
}

}  // namespace paretofl
