#include "paretofl/sweeps/sweep_plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/python_workloads.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/sweeps/run_names.h"

namespace paretofl {
namespace {

/// Of the two ways to name a part, KEY and KEY.name, the first.
std::string part_key(std::string key) {
  constexpr std::string_view kName = ".name";
  if (key.ends_with(kName)) key.resize(key.size() - kName.size());
  return key;
}

void check(const std::vector<NamedSettings>& configs, const std::vector<Axis>& axes, const std::vector<std::string>& overrides) {
  expect(!configs.empty(), "sweep: expected a CONFIG, found none");
  std::set<std::string> names;
  for (const auto& [name, settings] : configs) {
    expect(names.insert(name).second, "sweep: expected configs of different names, found {} twice", name);
  }
  std::set<std::string> keys;
  std::size_t count = configs.size();
  for (const Axis& axis : axes) {
    expect(keys.insert(part_key(axis.key)).second, "sweep: expected each key once, found {} twice", axis.key);
    const auto sets = [&](const std::string& assignment) {
      return part_key(assignment.substr(0, assignment.find('='))) == part_key(axis.key);
    };
    expect(std::none_of(overrides.begin(), overrides.end(), sets), "sweep: expected {} either set or swept, found both", axis.key);
    count *= axis.values.size();
    expect(count <= kMaxRuns, "sweep: expected a grid of at most {} runs, found more", kMaxRuns);
  }
}

std::string shown(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> first(names.begin(), std::next(names.begin(), static_cast<long>(std::min(kShown, names.size()))));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

std::set<std::string> without(const std::set<std::string>& names, const std::set<std::string>& others) {
  std::set<std::string> rest;
  std::set_difference(names.begin(), names.end(), others.begin(), others.end(), std::inserter(rest, rest.end()));
  return rest;
}

std::set<std::string> names_of(const SweepPlan& plan) {
  std::set<std::string> names;
  for (const PlannedRun& run : plan.runs) names.insert(run.name);
  return names;
}

template <class T>
const T& value_at(const Settings& settings, const std::string& key, const std::string& file) {
  const auto found = settings.values.find(key);
  const T* value = found == settings.values.end() ? nullptr : std::get_if<T>(&found->second);
  expect(value != nullptr, "{}: expected a list of texts at {}, found none", file, key);
  return *value;
}

const Settings& table_at(const Settings& settings, const std::string& key, const std::string& file) {
  const auto found = settings.tables.find(key);
  expect(found != settings.tables.end(), "{}: expected a table {}, found none", file, key);
  return found->second;
}

}  // namespace

std::vector<std::string> within_axes(const std::vector<std::string>& overrides, const std::vector<Axis>& axes) {
  std::vector<std::string> within;
  for (const std::string& assignment : overrides) {
    const auto inside = [&](const Axis& axis) { return assignment.starts_with(axis.key + "."); };
    if (std::any_of(axes.begin(), axes.end(), inside)) within.push_back(assignment);
  }
  return within;
}

Texts shape_of(const Settings& config) {
  Texts shape = identity_of(config);
  shape.emplace("rounds", to_text(config.values.at("rounds")));
  return shape;
}

SweepPlan make_plan(const std::vector<NamedSettings>& configs, const std::vector<Axis>& axes, const std::vector<std::string>& overrides) {
  check(configs, axes, overrides);
  SweepPlan plan;
  const std::vector<std::string> again = within_axes(overrides, axes);
  const bool name_config = configs.size() > 1 || axes.empty();
  if (name_config) plan.keys.emplace_back("config");
  std::map<std::string, std::string> seen;  // settings and the run that has them
  std::vector<std::vector<std::string>> parts;
  const std::vector<std::string> keys = short_keys(axes);
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    plan.keys.push_back(axes[i].key);
    parts.push_back(name_parts(axes[i], keys[i]));
    combinations *= axes[i].values.size();
  }
  for (const auto& [stem, settings] : configs) {
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      PlannedRun run{.name = {}, .values = {}, .config = settings};
      std::vector<std::string> words, assignments = again;
      if (name_config) {
        words.push_back(stem);
        run.values.push_back(stem);
      }
      std::size_t stride = combinations;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        stride /= axes[i].values.size();
        const std::size_t pick = combination / stride % axes[i].values.size();
        assignments.push_back(fmt::format("{}={}", axes[i].key, axes[i].values[pick]));
        words.push_back(parts[i][pick]);
        run.values.push_back(axes[i].values[pick]);
      }
      run.name = run_name(words);
      apply_overrides(run.config, std::move(assignments));
      run.config = resolve_config(run.config).resolved;
      const auto [twin, is_new] = seen.emplace(to_toml(run.config), run.name);
      expect(is_new, "sweep: expected runs of different settings, found the same in {} and {}", twin->second, run.name);
      plan.runs.push_back(std::move(run));
    }
  }
  return plan;
}

Settings SweepPlan::to_settings() const {
  Settings settings;
  settings.values.emplace("keys", keys);
  std::vector<std::string> order;
  for (const PlannedRun& run : runs) {
    order.push_back(run.name);
    Settings entry;
    entry.values.emplace("values", run.values);
    entry.tables.emplace("config", run.config);
    settings.tables["run"].tables.emplace(run.name, std::move(entry));
  }
  settings.values.emplace("order", order);
  return settings;
}

SweepPlan SweepPlan::from_settings(const Settings& settings, const std::string& file) {
  using Texts = std::vector<std::string>;
  SweepPlan plan;
  plan.keys = value_at<Texts>(settings, "keys", file);
  const Settings& runs = table_at(settings, "run", file);
  std::set<std::string> names;
  for (const std::string& name : value_at<Texts>(settings, "order", file)) {
    const bool plain = !name.empty() && name.find_first_of(std::string_view("/\0", 2)) == std::string::npos && name != "." && name != "..";
    expect(plain && names.insert(name).second, "{}: expected names of different folders in order, found '{}'", file, name);
    const Settings& entry = table_at(runs, name, file);
    const Settings& config = table_at(entry, "config", file);
    const std::string folder = std::filesystem::path(file).parent_path().string();
    expect_workload_at_hand(flat_texts(config), "sweep",
                            fmt::format("paretofl.sweep(problem, directory={:?}, resume=True) continues the sweep", folder));
    plan.runs.push_back({name, value_at<Texts>(entry, "values", file), resolve_config(config).resolved});
    expect(plan.runs.back().values.size() == plan.keys.size(), "{}: expected {} values of {}, found {}", file, plan.keys.size(), name,
           plan.runs.back().values.size());
  }
  expect(!plan.runs.empty(), "{}: expected at least one run in order, found none", file);
  return plan;
}

std::string difference(const SweepPlan& before, const SweepPlan& now) {
  if (before.keys != now.keys) return fmt::format("over {} before, over {} now", fmt::join(before.keys, ", "), fmt::join(now.keys, ", "));
  const std::set<std::string> old_names = names_of(before), new_names = names_of(now);
  const std::set<std::string> gone = without(old_names, new_names), added = without(new_names, old_names);
  if (!gone.empty()) return fmt::format("{} before, not now", shown(gone));
  if (!added.empty()) return fmt::format("{} now, not before", shown(added));
  std::map<std::string, const Settings*> old_configs;
  for (const PlannedRun& run : before.runs) old_configs.emplace(run.name, &run.config);
  for (const PlannedRun& run : now.runs) {
    const auto change = first_difference(shape_of(*old_configs.at(run.name)), shape_of(run.config));
    if (change) return fmt::format("{} {} before, {} now in {}", change->name, change->first, change->second, run.name);
  }
  return "";
}

}  // namespace paretofl
