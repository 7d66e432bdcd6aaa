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
RunFront front_of(const Finals& finals, const std::vector<double>& reference, Direction direction) {
  const std::vector<Direction> directions(reference.size(), direction);
  const PointSet points(directions.size(), finals.values);
  RunFront front;
  for (const std::size_t i : pareto_front(points, directions)) front.runs.push_back(finals.runs[i]);
  const std::vector<std::size_t> distinct = distinct_pareto_front(points, directions);
  front.cardinality = distinct.size();
  front.sparsity = known_or_nan([&] { return sparsity(points.rows(distinct)); });
  front.hypervolume = known_or_nan([&] { return hypervolume(points, reference, directions); });
  return front;
}

/// By seed, in order of appearance, or all together.
std::vector<std::pair<std::string, Finals>> finals_by_problem(const Comparison& comparison, const std::string& metric) {
  std::vector<std::pair<std::string, Finals>> problems;
  for (const RunGroup& group : comparison.groups) {
    for (const RunData* run : group.runs) {
      const std::string seed = comparison.seed_changes_problem ? run->seed : "";
      const auto found = std::find_if(problems.begin(), problems.end(), [&](const auto& problem) { return problem.first == seed; });
      auto& [name, finals] = found == problems.end() ? problems.emplace_back(seed, Finals()) : *found;
      finals.add(*run, metric);
    }
  }
  std::erase_if(problems, [](const auto& problem) { return problem.second.runs.empty(); });
  return problems;
}

Estimate over_fronts(const std::vector<RunFront>& fronts, const auto& figure) {
  std::vector<double> values;
  for (const RunFront& front : fronts) values.push_back(figure(front));
  return estimate(values);
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

Estimate RunFronts::hypervolume() const {
  return over_fronts(fronts, [](const RunFront& front) { return front.hypervolume; });
}

Estimate RunFronts::sparsity() const {
  return over_fronts(fronts, [](const RunFront& front) { return front.sparsity; });
}

Estimate RunFronts::cardinality() const {
  return over_fronts(fronts, [](const RunFront& front) { return static_cast<double>(front.cardinality); });
}

bool RunFronts::has(const RunData& run) const {
  return std::any_of(fronts.begin(), fronts.end(),
                     [&](const RunFront& front) { return std::find(front.runs.begin(), front.runs.end(), &run) != front.runs.end(); });
}

RunFronts run_fronts(const Comparison& comparison, const std::string& metric, const std::vector<double>& reference) {
  const std::size_t objectives = comparison.objectives.size();
  expect(reference.empty() || reference.size() == objectives, "reference point: expected {} numbers for {}, found {}", objectives,
         comparison.title, reference.size());
  const auto problems = finals_by_problem(comparison, metric);
  if (problems.empty()) return {};
  RunFronts result;
  if (!reference.empty() && metric == comparison.metric) {
    result.reference = reference;
  } else {
    std::vector<double> all;
    for (const auto& [seed, finals] : problems) all.insert(all.end(), finals.values.begin(), finals.values.end());
    result.reference = worst_point(PointSet(objectives, std::move(all)), direction_of(metric));
  }
  for (const auto& [seed, finals] : problems) {
    result.fronts.push_back(front_of(finals, result.reference, direction_of(metric)));
    result.fronts.back().seed = seed;
  }
  return result;
}

std::vector<FrontQuality> front_qualities(const Comparison& comparison, const std::string& metric, const std::vector<double>& reference) {
  const RunFronts all = run_fronts(comparison, metric, reference);
  if (all.fronts.empty() || comparison.objectives.size() < 2) return {};
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
