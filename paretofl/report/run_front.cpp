#include "paretofl/report/run_front.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "paretofl/objectives/hypervolume.h"
#include "paretofl/objectives/pareto_front.h"
#include "paretofl/objectives/sparsity.h"
#include "paretofl/report/known_or_nan.h"

namespace paretofl {
namespace {

/// Runs whose final value of a metric is known in every objective, and these values.
struct Finals {
  std::vector<const RunData*> runs;
  std::vector<double> values;  ///< [runs, M] row-major

  void add(const RunData& run, const std::string& metric) {
    const auto found = run.test.find(metric);
    if (found == run.test.end() || found->second.empty()) return;
    if (!std::all_of(found->second.begin(), found->second.end(), [](double x) { return std::isfinite(x); })) return;
    runs.push_back(&run);
    values.insert(values.end(), found->second.begin(), found->second.end());
  }
};

/// The front of the points against that reference.
RunFront front_of(const Finals& finals, std::vector<double> reference, Direction direction) {
  const std::vector<Direction> directions(reference.size(), direction);
  const PointSet points(directions.size(), finals.values);
  RunFront front;
  for (const std::size_t i : pareto_front(points, directions)) front.runs.push_back(finals.runs[i]);
  const std::vector<std::size_t> distinct = distinct_pareto_front(points, directions);
  front.cardinality = distinct.size();
  front.sparsity = known_or_nan([&] { return sparsity(points.rows(distinct)); });
  front.hypervolume = known_or_nan([&] { return hypervolume(points, reference, directions); });
  front.reference = std::move(reference);
  return front;
}

FrontQuality quality(const std::vector<const RunGroup*>& groups, const std::string& metric, const std::vector<double>& reference) {
  std::map<std::string, Finals> by_seed;
  for (const RunGroup* group : groups) {
    for (const RunData* run : group->runs) by_seed[run->seed].add(*run, metric);
  }
  std::vector<double> volumes, sparsities, cardinalities;
  for (const auto& [seed, finals] : by_seed) {
    if (finals.runs.empty()) continue;
    const RunFront front = front_of(finals, reference, direction_of(metric));
    volumes.push_back(front.hypervolume);
    sparsities.push_back(front.sparsity);
    cardinalities.push_back(static_cast<double>(front.cardinality));
  }
  const RunGroup& first = *groups.front();
  return {first.strategy, first.strategy_index, groups.size(), estimate(volumes), estimate(sparsities), estimate(cardinalities)};
}

}  // namespace

std::vector<double> worst_point(const PointSet& points, Direction direction) {
  std::vector<double> worst(points[0].begin(), points[0].end());
  for (std::size_t i = 1; i < points.size(); ++i) {
    for (std::size_t k = 0; k < worst.size(); ++k) {
      worst[k] = direction == Direction::kMaximize ? std::min(worst[k], points[i][k]) : std::max(worst[k], points[i][k]);
    }
  }
  return worst;
}

RunFront run_front(const Comparison& comparison, const std::string& metric) {
  Finals finals;
  for (const RunGroup& group : comparison.groups) {
    for (const RunData* run : group.runs) finals.add(*run, metric);
  }
  if (finals.runs.empty()) return {};
  const PointSet points(comparison.objectives.size(), finals.values);
  return front_of(finals, worst_point(points, direction_of(metric)), direction_of(metric));
}

std::vector<FrontQuality> front_qualities(const Comparison& comparison, const std::string& metric) {
  const RunFront all = run_front(comparison, metric);
  if (all.runs.empty() || comparison.objectives.size() < 2) return {};
  std::vector<std::vector<const RunGroup*>> strategies;
  bool any = false;
  for (const RunGroup& group : comparison.groups) {
    const auto known =
        std::find_if(strategies.begin(), strategies.end(), [&](const auto& groups) { return groups.front()->strategy == group.strategy; });
    if (known == strategies.end()) {
      strategies.push_back({&group});
    } else {
      known->push_back(&group);
      any = true;
    }
  }
  std::vector<FrontQuality> qualities;
  for (const auto& groups : strategies) {
    if (any) qualities.push_back(quality(groups, metric, all.reference));
  }
  return qualities;
}

}  // namespace paretofl
