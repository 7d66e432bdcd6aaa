#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/sweeps/axis.h"
#include "paretofl/sweeps/sweep_observer.h"
#include "paretofl/sweeps/sweep_plan.h"

namespace paretofl {

/// What `paretofl sweep` is asked to do.
struct SweepRequest {
  std::vector<std::filesystem::path>
      configs;  ///< TOML files; none with `resume`: as the folder's sweep.toml says, grown by `preferences` and `seeds`
  std::vector<NamedSettings> settings;  ///< more configs, by name
  std::filesystem::path directory;
  std::vector<std::string> overrides;  ///< --set key=value, in order, for every run
  std::vector<Axis> axes;
  std::optional<std::string> preferences;  ///< as preference_axis reads it
  std::optional<Axis> seeds;
  std::vector<double> reference;  ///< of the hypervolumes, a number per objective; empty: the worst values
  std::size_t jobs = 0;           ///< runs at a time; 0: as many as the cores have room for, or in this process one
  bool resume = false;
  bool in_processes = true;     ///< each run in one of its own; false: in this process, `jobs` at a time on threads of their own
  SweepObserver observer = {};  ///< of runs in this process
  bool shows_progress = true;   ///< on stderr
};

/// A run that did not end well, and why.
struct FailedRun {
  std::string name;
  std::string reason;
};

/// How a sweep ended.
struct SweepOutcome {
  SweepPlan plan;
  std::vector<FailedRun> failed;
  int signal = 0;  ///< the signal that ended it early, after the runs' checkpoints
};

/// Runs every run of the grid in a folder of its own, those with a summary.json excepted; one
/// with checkpoints goes on from them. Axes in order: configs, `axes`, preferences, seeds. Each run gets
/// cores / jobs threads, unless its config, `overrides` or an axis sets runtime.threads. A run that fails stops no other. Lines for
/// people and a progress bar go to stderr, what a run says to log.txt in its folder. Throws Error on bad
/// input, before any run starts: a bad config, a reference point of the wrong length, a folder with anything
/// else in it, another sweep than the one to resume, a folder where another sweep is at work.
SweepOutcome sweep(const SweepRequest& request);

}  // namespace paretofl
