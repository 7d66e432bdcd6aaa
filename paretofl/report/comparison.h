#pragma once

#include <map>
#include <string>
#include <vector>

#include "paretofl/objectives/direction.h"
#include "paretofl/report/run_data.h"

namespace paretofl {

/// Mean and spread over the runs of a group. The spread is the sample standard deviation, NaN for one run.
struct Estimate {
  double mean;
  double spread;
};

/// Mean and spread of the values; both NaN where one is not finite, and where there are none.
Estimate estimate(const std::vector<double>& values);

/// Runs that differ in nothing but their seed (and where and on how many threads they ran). A seed's second run is of another
/// group.
struct RunGroup {
  std::string label;  ///< the strategy where there are several, and the settings that tell its groups apart
  Texts distinct;     ///< the settings in which the strategy's groups differ, by full key
  std::string strategy;
  std::size_t strategy_index = 0;  ///< in order of appearance, over all workloads: one colour each
  std::size_t variant = 0;         ///< among the groups of this strategy and workload: one line style each
  std::size_t num_objectives = 0;
  std::vector<const RunData*> runs;
  bool on_front = false;  ///< no other group that is comparable is better in one objective and as good in the others

  /// Of every objective's final test metric, over the runs that have it.
  std::vector<Estimate> test(const std::string& metric) const;
  /// Of the mean over the objectives; NaN where these are in different units.
  Estimate test_mean(const std::string& metric) const;
  /// Of a figure of the strategy's or the workload's own, its mean over the rounds that have it.
  Estimate metric_mean(const std::string& name) const;
  /// Mean seconds of a round by phase.
  std::map<std::string, double> seconds_per_round() const;
  Estimate bytes_up() const;
  Estimate wall_seconds() const;  ///< NaN if no run has ended; likewise CPU seconds
  Estimate cpu_seconds() const;
};

/// All groups of one problem: of one workload, its objectives and the settings of problem_settings.h.
struct Comparison {
  std::string workload;
  Texts problem;      ///< its problem_settings
  Texts distinct;     ///< those of them that tell the workload's comparisons apart
  std::string title;  ///< the workload; where it stands for several comparisons, also what tells these apart, such as the environment
  std::vector<std::string> objectives;
  std::string metric;  ///< what the objectives are compared by: the first test metric that is no loss, else the loss
  Direction direction = Direction::kMaximize;
  bool seed_changes_problem = true;  ///< points of different seeds are then on different fronts
  std::vector<RunGroup> groups;

  /// Whether the objectives' figures of this metric are in one unit, so that they have a mean and a worst.
  bool shares_unit(const std::string& metric) const;
  /// Whether a point of one group may dominate one of the other: not where they are over different problems.
  bool comparable(const RunGroup& a, const RunGroup& b) const;
};

/// One comparison per workload, problem and list of objectives, in order of appearance. The groups point into `runs`.
std::vector<Comparison> compare(const std::vector<RunData>& runs);

/// The mean of the values; NaN where one is NaN or there are none.
double mean_over_objectives(const ObjectiveValues& values);

}  // namespace paretofl
