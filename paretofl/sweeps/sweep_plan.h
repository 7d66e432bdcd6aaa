#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/core/texts.h"
#include "paretofl/registry/settings.h"
#include "paretofl/sweeps/axis.h"

namespace paretofl {

/// One run of a sweep.
struct PlannedRun {
  std::string name;                 ///< its folder below the sweep's
  std::vector<std::string> values;  ///< of the plan's keys
  Settings config;                  ///< resolved
};

/// What a sweep runs: the grid, in the order of its axes, the last one fastest.
struct SweepPlan {
  std::vector<std::string> keys;  ///< swept, "config" among them where several configs were given
  std::vector<PlannedRun> runs;

  /// As sweep.toml holds it, and back; the latter throws Error, begun by `file`, on what is no plan.
  Settings to_settings() const;
  static SweepPlan from_settings(const Settings& settings, const std::string& file);
};

/// A config before the grid: its file's stem, and its settings with every --set applied.
using NamedSettings = std::pair<std::string, Settings>;

/// The largest number of runs of a sweep.
inline constexpr std::size_t kMaxRuns = 100000;

/// Those of the assignments key=value that set an option of a part which an axis names; such an axis resets the part's options.
std::vector<std::string> within_axes(const std::vector<std::string>& overrides, const std::vector<Axis>& axes);

/// Every combination of a config and the axes' values, in order. Where an axis names a part, which resets the part's options, other axes
/// and `overrides` (those that the configs already have) set options of that part after it. A run is called after its values, such as
/// client_lr=0.1_seed=2; an axis of long values numbers them: preference.3_seed=2. Throws Error on no config, configs of one name, a key
/// that two axes have or that is set and swept, and any config that resolve_config refuses.
SweepPlan make_plan(const std::vector<NamedSettings>& configs, const std::vector<Axis>& axes,
                    const std::vector<std::string>& overrides = {});

/// What decides how a run of this config ends: its settings but for those that may change on resuming.
Texts shape_of(const Settings& config);

/// How `now` differs from `before` in what shapes results, in a few words; empty where it doesn't.
std::string difference(const SweepPlan& before, const SweepPlan& now);

}  // namespace paretofl
