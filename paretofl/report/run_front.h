#pragma once

#include <string>
#include <vector>

#include "paretofl/objectives/point_set.h"
#include "paretofl/report/comparison.h"

namespace paretofl {

/// The worst value of each objective over the points [M], of which there is at least one.
std::vector<double> worst_point(const PointSet& points, Direction direction);

/// The Pareto front over all runs of a comparison, seeds apart, by one test metric.
struct RunFront {
  std::vector<const RunData*> runs;  ///< on the front, in the groups' order
  std::vector<double> reference;     ///< the worst value of each objective over all runs [M]
  double hypervolume = 0;            ///< between them; NaN for more than kMaxHypervolumeObjectives
  double sparsity = 0;               ///< over the distinct points of the front
  std::size_t cardinality = 0;       ///< how many those are
};

/// Runs that lack a value count as absent; without any, the front is empty.
RunFront run_front(const Comparison& comparison, const std::string& metric);

/// How good the fronts of one strategy's runs are: mean and spread over seeds, of one front per seed.
struct FrontQuality {
  std::string strategy;
  std::size_t strategy_index = 0;
  std::size_t groups = 0;  ///< settings that its front is over
  Estimate hypervolume;    ///< against run_front's reference
  Estimate sparsity;
  Estimate cardinality;
};

/// One for every strategy, in order of appearance; none if no strategy has two groups to trade off.
std::vector<FrontQuality> front_qualities(const Comparison& comparison, const std::string& metric);

}  // namespace paretofl
