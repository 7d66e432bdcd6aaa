#include "paretofl/report/client_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/objectives/hypervolume.h"
#include "paretofl/objectives/igd.h"
#include "paretofl/objectives/pareto_front.h"
#include "paretofl/objectives/sparsity.h"
#include "paretofl/report/known_or_nan.h"
#include "paretofl/report/run_front.h"

namespace paretofl {
namespace {

/// The last round with figures of every client's own model by this metric, or null.
const RecordedRound* last_with_clients(const RunData& run, const std::string& metric) {
  const auto found =
      std::find_if(run.rows.rbegin(), run.rows.rend(), [&](const RecordedRound& row) { return row.clients.contains(metric); });
  return found == run.rows.rend() ? nullptr : &*found;
}

/// [n * M]; empty where a figure is unknown.
std::vector<double> points_of(const RecordedRound& row, const std::string& metric) {
  std::vector<double> points;
  for (const ObjectiveValues& client : row.clients.at(metric)) points.insert(points.end(), client.begin(), client.end());
  return std::all_of(points.begin(), points.end(), [](double x) { return std::isfinite(x); }) ? points : std::vector<double>();
}

double scalarized(const RecordedRound& row, const std::string& metric) {
  const auto found = row.clients.find("scalarized_" + metric);
  if (found == row.clients.end()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const ObjectiveValues& client : found->second) sum += client.front();
  return sum / static_cast<double>(found->second.size());
}

}  // namespace

const std::vector<std::string>& client_set_figures() {
  static const std::vector<std::string> kNames = {"scalarized", "hypervolume", "sparsity", "igd", "cardinality"};
  return kNames;
}

Estimate ClientSets::figure(const RunGroup& group, const std::string& name) const {
  std::vector<double> values;
  for (const ClientSet& set : sets) {
    if (std::find(group.runs.begin(), group.runs.end(), set.run) != group.runs.end()) values.push_back(set.figures.at(name));
  }
  return estimate(values);
}

ClientSets client_sets(const Comparison& comparison, const std::string& metric, std::vector<double> reference) {
  const std::size_t objectives = comparison.objectives.size();
  const std::vector<Direction> directions(objectives, direction_of(metric));
  ClientSets result;
  std::vector<double> all;
  std::vector<std::vector<double>> points;
  for (const RunGroup& group : comparison.groups) {
    for (const RunData* run : group.runs) {
      const RecordedRound* row = last_with_clients(*run, metric);
      if (row == nullptr || row->clients.at(metric).front().size() != objectives) continue;
      points.push_back(points_of(*row, metric));
      if (points.back().empty()) {
        points.pop_back();
        continue;
      }
      all.insert(all.end(), points.back().begin(), points.back().end());
      result.sets.push_back({run, {{"scalarized", scalarized(*row, metric)}}});
    }
  }
  if (result.sets.empty()) return result;
  const PointSet together(objectives, std::move(all));
  std::map<std::string, std::vector<double>> of_problem;  // by seed, where it changes the problem
  const auto problem_of = [&](std::size_t i) { return comparison.seed_changes_problem ? result.sets[i].run->seed : std::string(); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<double>& same = of_problem[problem_of(i)];
    same.insert(same.end(), points[i].begin(), points[i].end());
  }
  std::map<std::string, PointSet> fronts;
  for (auto& [problem, values] : of_problem) {
    const PointSet same(objectives, std::move(values));
    fronts.emplace(problem, same.rows(distinct_pareto_front(same, directions)));
  }
  result.reference = reference.empty() ? worst_point(together, direction_of(metric)) : std::move(reference);
  expect(result.reference.size() == objectives, "reference point: expected {} numbers for {}, found {}", objectives, comparison.title,
         result.reference.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointSet own(objectives, std::move(points[i]));
    const PointSet own_front = own.rows(distinct_pareto_front(own, directions));
    auto& figures = result.sets[i].figures;
    figures["hypervolume"] = known_or_nan([&] { return hypervolume(own, result.reference, directions); });
    figures["sparsity"] = known_or_nan([&] { return sparsity(own_front); });
    figures["igd"] = known_or_nan([&] { return inverted_generational_distance(own_front, fronts.at(problem_of(i))); });
    figures["cardinality"] = static_cast<double>(own_front.size());
  }
  return result;
}

}  // namespace paretofl
