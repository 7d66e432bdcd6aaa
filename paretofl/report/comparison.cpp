#include "paretofl/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "paretofl/objectives/pareto_front.h"
#include "paretofl/report/problem_settings.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Over the runs that have the value, an optional one.
template <class Value>
Estimate over_runs(const RunGroup& group, Value value_of) {
  std::vector<double> values;
  for (const RunData* run : group.runs) {
    if (const std::optional<double> value = value_of(*run)) values.push_back(*value);
  }
  return estimate(values);
}

/// What `figure` makes of the run's final test metric, if it has one.
template <class Figure>
std::optional<double> of_final_test(const RunData& run, const std::string& metric, Figure figure) {
  const auto found = run.test.find(metric);
  return found != run.test.end() ? std::optional(figure(found->second)) : std::nullopt;
}

/// The keys that shape the result, but for the seed.
Texts settings(const RunData& run) {
  Texts keys = run.keys;
  std::erase_if(keys, [](const auto& entry) { return entry.first == "seed" || !shapes_results(entry.first); });
  return keys;
}

/// The keys whose values differ among these, or that some of them lack.
std::set<std::string> differing_keys(const std::vector<const Texts*>& all) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> counts;
  for (const Texts* texts : all) {
    for (const auto& [key, value] : *texts) {
      values[key].insert(value);
      ++counts[key];
    }
  }
  std::set<std::string> keys;
  for (const auto& [key, found] : values) {
    if (found.size() > 1 || counts[key] < all.size()) keys.insert(key);
  }
  return keys;
}

/// The last part of a key; of strategy.solver.name the part before it.
std::string short_key(std::string key) {
  if (key.ends_with(".name")) key.resize(key.size() - 5);
  return key.substr(key.rfind('.') + 1);
}

/// A setting as a label shows it: the numbers of a list with three digits.
std::string short_value(const std::string& key, const std::string& text) {
  const Settings::Value value = text.starts_with('[') ? parse_value(text, key) : Settings::Value(text);
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  if (numbers == nullptr) return text;
  std::vector<std::string> texts;
  for (const double number : *numbers) texts.push_back(fmt::format("{:.3g}", number));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

bool have_distinct_labels(const std::vector<RunGroup>& groups) {
  std::set<std::string> labels;
  return std::all_of(groups.begin(), groups.end(), [&](const RunGroup& group) { return labels.insert(group.label).second; });
}

/// Names the comparisons. Where a workload stands for several, the title says what tells them apart.
void entitle(std::vector<Comparison>& comparisons) {
  for (Comparison& comparison : comparisons) {
    comparison.title = comparison.workload;
    std::vector<const Texts*> problems;
    bool other_objectives = false;
    for (const Comparison& other : comparisons) {
      if (other.workload != comparison.workload) continue;
      problems.push_back(&other.problem);
      other_objectives = other_objectives || other.objectives != comparison.objectives;
    }
    for (const std::string& key : differing_keys(problems)) {
      const auto value = comparison.problem.find(key);
      if (value == comparison.problem.end()) continue;
      comparison.distinct.insert(*value);
      const bool is_name = key == "workload.environment" || key == "workload.problem";
      comparison.title += is_name ? fmt::format(", {}", value->second) : fmt::format(", {}={}", short_key(key), value->second);
    }
    if (other_objectives) comparison.title += fmt::format(", {} objectives", comparison.objectives.size());
  }
}

/// Names the groups and numbers the variants of every strategy.
void label(std::vector<RunGroup>& groups, bool in_short) {
  std::vector<Texts> texts;
  for (const RunGroup& group : groups) texts.push_back(settings(*group.runs.front()));
  std::map<std::string, std::vector<const Texts*>> siblings;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::vector<const Texts*>& variants = siblings[groups[i].strategy];
    groups[i].variant = variants.size();
    variants.push_back(&texts[i]);
  }
  std::map<std::string, std::set<std::string>> differing;
  for (const auto& [strategy, variants] : siblings) differing[strategy] = differing_keys(variants);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    RunGroup& group = groups[i];
    std::vector<std::string> parts;
    group.distinct.clear();
    for (const std::string& key : differing[group.strategy]) {
      const auto value = texts[i].find(key);
      if (value == texts[i].end()) continue;
      group.distinct.insert(*value);
      parts.push_back(fmt::format("{}={}", short_key(key), in_short ? short_value(key, value->second) : value->second));
    }
    if (parts.empty() || siblings.size() > 1) parts.insert(parts.begin(), group.strategy);
    group.label = fmt::format("{}", fmt::join(parts, " "));
  }
}

/// Tells groups of the same settings apart, which have the same seeds.
void number_labels(std::vector<RunGroup>& groups) {
  std::map<std::string, int> uses;
  for (RunGroup& group : groups) {
    const int use = ++uses[group.label];
    if (use > 1) group.label += fmt::format(" ({})", use);
  }
}

void mark_front(Comparison& comparison) {
  std::vector<RunGroup*> groups;
  std::vector<double> values;
  for (RunGroup& group : comparison.groups) {
    const auto point = group.test(comparison.metric);
    if (point.empty() || std::any_of(point.begin(), point.end(), [](const Estimate& x) { return std::isnan(x.mean); })) continue;
    groups.push_back(&group);
    for (const Estimate& x : point) values.push_back(x.mean);
  }
  if (groups.empty()) return;
  const std::vector<Direction> directions(comparison.objectives.size(), comparison.direction);
  const PointSet points = PointSet(directions.size(), std::move(values)).maximized(directions);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i]->on_front = true;
    for (std::size_t j = 0; j < groups.size() && groups[i]->on_front; ++j) {
      groups[i]->on_front = !dominates(points[j], points[i]) || !comparison.comparable(*groups[i], *groups[j]);
    }
  }
}

/// What the first run that knows says; without one, yes.
bool seed_changes_problem(const std::vector<RunGroup>& groups) {
  for (const RunGroup& group : groups) {
    for (const RunData* run : group.runs) {
      if (run->seed_changes_problem) return *run->seed_changes_problem;
    }
  }
  return true;
}

/// Of the runs that have final figures of the metric; one that failed has none.
std::set<std::string> seeds_of(const RunGroup& group, const std::string& metric) {
  std::set<std::string> seeds;
  for (const RunData* run : group.runs) {
    if (run->test.contains(metric)) seeds.insert(run->seed);
  }
  return seeds;
}

template <class Item, class Predicate>
Item& found_or_added(std::vector<Item>& items, Predicate is_it) {
  const auto found = std::find_if(items.begin(), items.end(), is_it);
  return found != items.end() ? *found : items.emplace_back();
}

std::size_t index_of(const std::string& name, std::vector<std::string>& names) {
  const std::string& found = found_or_added(names, [&](const std::string& one) { return one == name; });
  if (found.empty()) names.back() = name;
  return static_cast<std::size_t>(&found - names.data());
}

std::string headline_metric(const std::vector<RunGroup>& groups) {
  std::set<std::string> metrics;
  for (const RunGroup& group : groups) {
    for (const RunData* run : group.runs) {
      for (const auto& [metric, values] : run->test) metrics.insert(metric);
    }
  }
  const auto found = std::find_if(metrics.begin(), metrics.end(), [](const std::string& metric) { return metric != "loss"; });
  return found != metrics.end() ? *found : "loss";
}

}  // namespace

Estimate estimate(const std::vector<double>& values) {
  if (values.empty() || !std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) return {kNone, kNone};
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : kNone};
}

double mean_over_objectives(const ObjectiveValues& values) {
  return values.empty() ? kNone : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<Estimate> RunGroup::test(const std::string& metric) const {
  std::vector<Estimate> found;
  for (std::size_t k = 0; k < num_objectives; ++k) {
    found.push_back(over_runs(
        *this, [&](const RunData& run) { return of_final_test(run, metric, [&](const ObjectiveValues& test) { return test[k]; }); }));
  }
  return found;
}

Estimate RunGroup::test_mean(const std::string& metric) const {
  return over_runs(*this, [&](const RunData& run) {
    return of_final_test(run, metric, [&](const ObjectiveValues& values) {
      return run.shares_unit(metric) || values.size() < 2 ? mean_over_objectives(values) : kNone;
    });
  });
}

Estimate RunGroup::metric_mean(const std::string& name) const {
  return over_runs(*this, [&](const RunData& run) {
    std::vector<double> values;
    for (const RecordedRound& row : run.rows) {
      const auto found = row.metrics.find(name);
      if (found != row.metrics.end() && found->second.size() == 1) values.push_back(found->second.front());
    }
    return values.empty() ? std::nullopt : std::optional(estimate(values).mean);
  });
}

std::map<std::string, double> RunGroup::seconds_per_round() const {
  std::map<std::string, double> seconds;
  std::size_t rounds = 0;
  for (const RunData* run : runs) {
    rounds += run->rows.size();
    for (const RecordedRound& row : run->rows) {
      for (const auto& [phase, taken] : row.seconds) seconds[phase] += taken;
    }
  }
  for (auto& [phase, sum] : seconds) sum /= static_cast<double>(rounds);
  return seconds;
}

Estimate RunGroup::bytes_up() const {
  return over_runs(*this, [](const RunData& run) { return std::optional(run.bytes_up); });
}

Estimate RunGroup::wall_seconds() const {
  return over_runs(*this, [](const RunData& run) { return run.summary ? std::optional(run.summary->wall_seconds) : std::nullopt; });
}

Estimate RunGroup::cpu_seconds() const {
  return over_runs(*this, [](const RunData& run) { return run.summary ? std::optional(run.summary->cpu_seconds) : std::nullopt; });
}

bool Comparison::shares_unit(const std::string& metric_name) const {
  return objectives.size() < 2 || std::all_of(groups.begin(), groups.end(), [&](const RunGroup& group) {
           return std::all_of(group.runs.begin(), group.runs.end(), [&](const RunData* run) { return run->shares_unit(metric_name); });
         });
}

bool Comparison::comparable(const RunGroup& a, const RunGroup& b) const {
  return !seed_changes_problem || seeds_of(a, metric) == seeds_of(b, metric);
}

std::vector<Comparison> compare(const std::vector<RunData>& runs) {
  std::vector<Comparison> comparisons;
  std::vector<std::map<Texts, std::vector<std::size_t>>> alike;  // of each comparison the groups of these settings
  std::vector<std::string> strategies;
  for (const RunData& run : runs) {
    Texts problem = problem_settings(run);
    // A run that has not begun has no objectives yet.
    Comparison& comparison = found_or_added(comparisons, [&](const Comparison& one) {
      return one.workload == run.workload && one.problem == problem &&
             (one.objectives == run.objectives || one.objectives.empty() || run.objectives.empty());
    });
    comparison.workload = run.workload;
    comparison.problem = std::move(problem);
    if (comparison.objectives.empty()) comparison.objectives = run.objectives;
    alike.resize(comparisons.size());
    std::vector<std::size_t>& same = alike[static_cast<std::size_t>(&comparison - comparisons.data())][settings(run)];
    const auto free = std::find_if(same.begin(), same.end(), [&](std::size_t i) {
      const auto& others = comparison.groups[i].runs;
      return std::none_of(others.begin(), others.end(), [&](const RunData* other) { return other->seed == run.seed; });
    });
    const std::size_t index = free == same.end() ? comparison.groups.size() : *free;
    if (free == same.end()) {
      same.push_back(index);
      comparison.groups.emplace_back();
    }
    RunGroup& group = comparison.groups[index];
    group.strategy = run.strategy;
    group.strategy_index = index_of(run.strategy, strategies);
    group.runs.push_back(&run);
  }
  entitle(comparisons);
  for (Comparison& comparison : comparisons) {
    for (RunGroup& group : comparison.groups) group.num_objectives = comparison.objectives.size();
    label(comparison.groups, true);
    if (!have_distinct_labels(comparison.groups)) label(comparison.groups, false);
    if (!have_distinct_labels(comparison.groups)) number_labels(comparison.groups);
    comparison.metric = headline_metric(comparison.groups);
    comparison.direction = direction_of(comparison.metric);
    comparison.seed_changes_problem = seed_changes_problem(comparison.groups);
    mark_front(comparison);
  }
  return comparisons;
}

}  // namespace paretofl
