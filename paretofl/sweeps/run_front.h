#pragma once

#include <string>
#include <vector>

#include "paretofl/report/comparison.h"

namespace paretofl {

/// The Pareto front over all runs of one workload, seeds apart, by one test metric.
struct RunFront {
  std::vector<const RunData*> runs;  ///< on the front, in the runs' order
  std::vector<double> reference;     ///< the worst value of each objective over all runs [M]
  double hypervolume = 0;            ///< between them; NaN for more than kMaxHypervolumeObjectives
  double sparsity = 0;               ///< over the distinct points of the front
  std::size_t cardinality = 0;       ///< how many those are
};

/// Runs that lack a value count as absent; without any, the front is empty.
RunFront run_front(const Comparison& comparison, const std::string& metric);

}  // namespace paretofl
