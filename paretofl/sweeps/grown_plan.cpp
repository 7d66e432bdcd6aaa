#include "paretofl/sweeps/grown_plan.h"

#include <algorithm>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/sweeps/run_names.h"

namespace paretofl {
namespace {

std::string value_of(const PlannedRun& run, const std::string& key) {
  const Texts texts = flat_texts(run.config);
  const auto found = texts.find(key);
  expect(found != texts.end(), "sweep: expected a setting {} in every run to add values of it, found none in {}", key, run.name);
  return found->second;
}

/// The place of the key among the plan's, where it is put if it isn't there.
std::size_t column_of(SweepPlan& plan, const std::string& key) {
  const auto found = std::find(plan.keys.begin(), plan.keys.end(), key);
  const auto column = static_cast<std::size_t>(found - plan.keys.begin());
  if (found != plan.keys.end()) return column;
  plan.keys.push_back(key);
  for (PlannedRun& run : plan.runs) run.values.push_back(value_of(run, key));
  return column;
}

/// The axes that the plan's runs lie on, in order; "config" is one of them.
std::vector<Axis> axes_of(const SweepPlan& plan) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < plan.keys.size(); ++i) {
    Axis& axis = axes.emplace_back(Axis{plan.keys[i], {}});
    for (const PlannedRun& run : plan.runs) {
      if (std::find(axis.values.begin(), axis.values.end(), run.values[i]) == axis.values.end()) axis.values.push_back(run.values[i]);
    }
  }
  return axes;
}

/// Names the runs from `first` on after their values, as make_plan does.
void name_runs(SweepPlan& plan, std::size_t first) {
  const std::vector<Axis> axes = axes_of(plan);
  const std::vector<std::string> keys = short_keys(axes);
  std::vector<std::vector<std::string>> parts;
  for (std::size_t i = 0; i < axes.size(); ++i) parts.push_back(axes[i].key == "config" ? axes[i].values : name_parts(axes[i], keys[i]));
  std::set<std::string> names;
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    PlannedRun& run = plan.runs[r];
    if (r >= first) {
      std::vector<std::string> words;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto value = std::find(axes[i].values.begin(), axes[i].values.end(), run.values[i]);
        words.push_back(parts[i][static_cast<std::size_t>(value - axes[i].values.begin())]);
      }
      run.name = run_name(words);
    }
    expect(names.insert(run.name).second, "sweep: expected a name of its own for every run, found {} twice", run.name);
  }
}

/// The run with another value of the key, in its config alone.
PlannedRun with_value(PlannedRun run, const std::string& key, const std::string& value) {
  apply_override(run.config, fmt::format("{}={}", key, value));
  run.config = resolve_config(run.config).resolved;
  return run;
}

void grow(SweepPlan& plan, const Axis& axis) {
  const std::size_t column = column_of(plan, axis.key);
  std::set<std::string> known;
  for (const PlannedRun& run : plan.runs) known.insert(value_of(run, axis.key));
  // One run of each combination of the other values, whose config the new ones take.
  std::vector<PlannedRun> twins;
  std::set<std::vector<std::string>> rests;
  for (const PlannedRun& run : plan.runs) {
    std::vector<std::string> rest = run.values;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(column));
    if (rests.insert(std::move(rest)).second) twins.push_back(run);
  }
  const std::size_t first = plan.runs.size();
  std::vector<std::string> added;
  for (const std::string& value : axis.values) {
    if (known.insert(value_of(with_value(twins.front(), axis.key, value), axis.key)).second) added.push_back(value);
  }
  expect(first + added.size() * twins.size() <= kMaxRuns, "sweep: expected a grid of at most {} runs, found more", kMaxRuns);
  for (const std::string& value : added) {
    for (const PlannedRun& twin : twins) {
      plan.runs.push_back(with_value(twin, axis.key, value));
      plan.runs.back().values[column] = value;
    }
  }
  name_runs(plan, first);
}

/// What may differ between a sweep's run and one that it grows by is left out.
Texts fixed_shape(const PlannedRun& run) {
  Texts shape = shape_of(run.config);
  for (const char* key : {"seed", "strategy.preference", "strategy.objective_weights"}) shape.erase(key);
  return shape;
}

}  // namespace

SweepPlan grown_plan(SweepPlan plan, const std::vector<Axis>& axes) {
  for (const Axis& axis : axes) grow(plan, axis);
  return plan;
}

SweepPlan without_growth(const SweepPlan& before, const SweepPlan& now) {
  std::set<std::string> names;
  std::set<Texts> shapes;
  for (const PlannedRun& run : before.runs) {
    names.insert(run.name);
    shapes.insert(fixed_shape(run));
  }
  SweepPlan rest{.keys = now.keys, .runs = {}};
  for (const PlannedRun& run : now.runs) {
    if (names.contains(run.name) || !shapes.contains(fixed_shape(run))) rest.runs.push_back(run);
  }
  return rest;
}

}  // namespace paretofl
