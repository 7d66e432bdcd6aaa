#include "paretofl/sweeps/run_front.h"

#include <algorithm>
#include <cmath>

#include "paretofl/objectives/hypervolume.h"
#include "paretofl/objectives/pareto_front.h"
#include "paretofl/objectives/sparsity.h"

namespace paretofl {

RunFront run_front(const Comparison& comparison, const std::string& metric) {
  const Direction direction = direction_of(metric);
  const std::vector<Direction> directions(comparison.objectives.size(), direction);
  RunFront front;
  std::vector<const RunData*> runs;
  std::vector<double> values;
  for (const RunGroup& group : comparison.groups) {
    for (const RunData* run : group.runs) {
      const auto found = run->test.find(metric);
      if (found == run->test.end() || !std::all_of(found->second.begin(), found->second.end(), [](double x) { return std::isfinite(x); }))
        continue;
      runs.push_back(run);
      values.insert(values.end(), found->second.begin(), found->second.end());
    }
  }
  if (runs.empty()) return front;

  const PointSet points(directions.size(), values);
  for (const std::size_t i : pareto_front(points, directions)) front.runs.push_back(runs[i]);
  const std::vector<std::size_t> distinct = distinct_pareto_front(points, directions);
  front.cardinality = distinct.size();
  front.sparsity = sparsity(points.rows(distinct));
  for (std::size_t k = 0; k < directions.size(); ++k) {
    std::vector<double> of_objective;
    for (std::size_t i = 0; i < points.size(); ++i) of_objective.push_back(points[i][k]);
    const auto [low, high] = std::minmax_element(of_objective.begin(), of_objective.end());
    front.reference.push_back(direction == Direction::kMaximize ? *low : *high);
  }
  front.hypervolume = directions.size() <= kMaxHypervolumeObjectives ? hypervolume(points, front.reference, directions) : NAN;
  return front;
}

}  // namespace paretofl
