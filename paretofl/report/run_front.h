#pragma once

#include <string>
#include <vector>

#include "paretofl/objectives/point_set.h"
#include "paretofl/report/comparison.h"

namespace paretofl {

/// The worst value of each objective over the points [M], of which there is at least one.
std::vector<double> worst_point(const PointSet& points, Direction direction);

/// The Pareto front over runs of one problem by one test metric.
struct RunFront {
  std::string seed;                  ///< of its runs; empty where it is over all seeds
  std::vector<const RunData*> runs;  ///< on the front, in the groups' order
  double hypervolume = 0;            ///< up to the reference; NaN for more than kMaxHypervolumeObjectives
  double sparsity = 0;               ///< over the distinct points of the front
  std::size_t cardinality = 0;       ///< how many those are
};

/// The fronts over all runs of a comparison: one, or one per seed where the seed changes the problem.
struct RunFronts {
  std::vector<double> reference;  ///< of all their hypervolumes [M]
  std::vector<RunFront> fronts;   ///< in order of the seeds' appearance

  /// Mean and spread over the fronts.
  Estimate hypervolume() const;
  Estimate sparsity() const;
  Estimate cardinality() const;
  bool has(const RunData& run) const;  ///< whether the run is on a front
};

/// Runs that lack a value count as absent; without any, there is no front. The reference is the one given where that is not
/// empty and `metric` is the one that the comparison is by, else the worst value of each objective over all runs. Throws
/// Error where a reference is given that is not one number per objective.
RunFronts run_fronts(const Comparison& comparison, const std::string& metric, const std::vector<double>& reference = {});

/// How good the fronts of one strategy's runs are: mean and spread over seeds, of one front per seed.
struct FrontQuality {
  std::string strategy;
  std::size_t strategy_index = 0;
  std::size_t groups = 0;  ///< settings that its front is over
  Estimate hypervolume;    ///< against run_fronts' reference
  Estimate sparsity;
  Estimate cardinality;
};

/// One for every strategy, in order of appearance; none where no strategy has two groups to trade off.
std::vector<FrontQuality> front_qualities(const Comparison& comparison, const std::string& metric,
                                          const std::vector<double>& reference = {});

}  // namespace paretofl
