#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "paretofl/report/run_data.h"
#include "paretofl/sweeps/sweep_plan.h"

namespace paretofl {

/// What a sweep's folder holds by now.
struct SweepResults {
  SweepPlan plan;
  std::vector<RunData> runs;           ///< those that are done, in the plan's order
  std::set<std::string> failed = {};   ///< names of the runs whose summary.json says so, or that failed just now; no figure counts them
  std::vector<double> reference = {};  ///< of every hypervolume, see run_fronts and client_sets

  /// Reads the runs that ended well, by their summary.json; throws Error where one is broken.
  static SweepResults load(const std::filesystem::path& directory, const SweepPlan& plan);

  /// One row per planned run: run, the swept keys, seed, strategy, workload, state (done, failed or missing), rounds,
  /// on_front (true or false: on the Pareto front over all runs, or over those of its seed, by the workload's first metric),
  /// test/<metric>/<objective> of every objective there is, clients/<figure> of personalized runs (client_set.h), bytes_up, bytes_down,
  /// wall_seconds, cpu_seconds, parameters_sha256; empty where a run has none. Fields with commas or quotes are quoted.
  std::string csv() const;

  /// {"directory", "runs": [..], "failed": [names], "missing": [names], "workloads": [..]}: the rows of the table by name; and
  /// what comparison_data has of each workload (mean and standard deviation over seeds), with "fronts": the
  /// Pareto front over all runs by each test metric, or one per seed where the seed changes the problem; and "clients": the figures of
  /// client_set.h by group, mean and spread.
  nlohmann::ordered_json json(const std::filesystem::path& directory) const;

  /// Writes sweep.csv and sweep.json into the sweep's folder, and report.html where a run is done.
  void write(const std::filesystem::path& directory) const;

  /// The fronts in a few lines for people.
  std::string front_text() const;

  /// A table of client_set.h's figures, one row per group; empty without personalized runs.
  std::string client_text() const;
};

}  // namespace paretofl
