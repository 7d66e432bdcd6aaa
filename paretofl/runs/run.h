#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/registry/settings.h"

namespace paretofl {

/// Called before the first round with the run's directory, where config.toml is written, and the objectives' names.
using StartObserver = std::function<void(const std::filesystem::path& directory, const std::vector<std::string>& objectives)>;

/// Called after each round with its row, as metrics.jsonl has it. Returns false to stop the run after a checkpoint.
using RoundObserver = std::function<bool(const nlohmann::ordered_json& row)>;

/// What `paretofl run` is asked to do.
struct RunRequest {
  std::filesystem::path config;        ///< TOML file; empty with resume, and where the settings are given
  std::filesystem::path directory;     ///< run directory; empty: runs/<strategy>-<workload>-<seed>
  std::filesystem::path parent = {};   ///< in which that default lies; empty: the working directory
  std::vector<std::string> overrides;  ///< --set key=value, in order
  bool overwrite = false;
  bool resume = false;
  StartObserver on_start = {};            ///< may be empty
  RoundObserver after_round = {};         ///< may be empty
  std::optional<Settings> settings = {};  ///< in the place of a config file
  bool shows_progress = true;             ///< on stderr
};

/// How a run ended.
struct RunOutcome {
  std::filesystem::path directory;
  bool leads = true;     ///< false in processes that only hosted clients
  int signal = 0;        ///< the signal that ended it early, after a checkpoint
  bool stopped = false;  ///< whether after_round ended it early, after a checkpoint
  long rounds = 0;       ///< rounds done in all
  std::string launcher;  ///< what starts as many processes, in front of a command, such as "mpirun -np 3 "; empty for a single one
};

/// Runs an experiment from a config, or goes on with one from its newest checkpoint. Every line for
/// people goes to stderr. Throws Error on bad input and when too many rounds in a row are abandoned. Runs in other directories may go on
/// in other threads; then `cpu_seconds` and the peak memory of each count those of the whole process.
RunOutcome run(const RunRequest& request);

}  // namespace paretofl
