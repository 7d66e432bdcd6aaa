#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "paretofl/registry/settings.h"
#include "paretofl/report/example_completions.h"
#include "paretofl/report/recorded_round.h"

namespace paretofl {

/// The figures of summary.json that rows don't have.
struct RunSummary {
  std::string parameters_sha256;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double peak_rss_bytes = 0;
  std::string failure = {};  ///< the error that ended the run, whose final figures then count for nothing; empty where it completed
};

/// A run directory, read: config.toml, metrics.jsonl and, where the run has ended, summary.json and the model's examples.
struct RunData {
  std::filesystem::path folder;
  std::string name;  ///< the folder's
  std::string strategy;
  std::string workload;
  std::string seed;
  std::string preference;  ///< of a point of the run's own front (front_points.h), such as "[0.25, 0.75]"; else empty
  std::vector<std::string> objectives;
  Settings config;
  Texts keys;  ///< the config's values by full key, such as strategy.name; texts without quotes
  std::vector<RecordedRound> rows;
  std::map<std::string, ObjectiveValues> test;  ///< the last test metrics, by metric
  std::map<std::string, double> overall;        ///< figures of the whole in summary.json, such as "scalarized_loss"
  double bytes_up = 0;                          ///< of all rounds
  double bytes_down = 0;
  std::vector<ExampleCompletion> completions;         ///< of a language model
  std::optional<RunSummary> summary;                  ///< absent while the run goes on, or where it was cut short
  std::optional<bool> seed_changes_problem;           ///< as the workload says; unknown without a summary, or in an older one
  std::optional<std::set<std::string>> unlike_units;  ///< metrics whose objectives are in different units; likewise
  bool torn = false;                                  ///< the last line of metrics.jsonl was half written and is left out

  /// The name, and of a point of the run's own front its preference.
  std::string point_name() const { return preference.empty() ? name : name + " at " + preference; }

  /// Whether the objectives' figures of this metric have a mean: as the workload says, or as the metric's name does.
  bool shares_unit(const std::string& metric) const;

  double late() const;               ///< replies, of all rounds
  double simulated_seconds() const;  ///< of all rounds; 0 if the clock is not simulated
};

/// Throws Error, naming file and line, if a file is missing or broken. As long as there is no summary.json, a last line
/// without its end is a run that was killed while writing, and no metrics.jsonl one that has not begun, not errors.
RunData load_run(const std::filesystem::path& folder);

/// Loads every folder given, each once; one that only holds run directories stands for all of them, by name.
std::vector<RunData> load_runs(const std::vector<std::filesystem::path>& folders);

}  // namespace paretofl
