#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "paretofl/registry/settings.h"

namespace paretofl {

/// What `paretofl run` is asked to do.
struct RunRequest {
  std::filesystem::path config;        ///< TOML file; empty with resume
  std::filesystem::path directory;     ///< run directory; empty: runs/<strategy>-<workload>-<seed>
  std::vector<std::string> overrides;  ///< --set key=value, in order
  bool overwrite = false;
  bool resume = false;
  std::function<void(long)> after_round = {};  ///< called with the rounds done so far, where given
};

/// How a run ended.
struct RunOutcome {
  std::filesystem::path directory;
  bool leads = true;  ///< false in processes that only hosted clients
  int signal = 0;     ///< the signal that ended it early, after a checkpoint
  long rounds = 0;    ///< rounds done in all
};

/// Runs an experiment from a config, or goes on with one from its newest checkpoint. Every line for
/// people goes to stderr. Throws Error on bad input and when too many rounds in a row are abandoned.
RunOutcome run(const RunRequest& request);

}  // namespace paretofl
