#pragma once

#include <string>
#include <vector>

#include "paretofl/runs/config.h"
#include "paretofl/sweeps/sweep_plan.h"

namespace paretofl {

inline Settings planned_quadratics(const std::string& more = "") {
  return parse_config("[strategy]\nname = \"fedavg\"\n" + more + "[workload]\nname = \"quadratics\"\n", "test");
}

inline SweepPlan plan_over(const std::vector<std::string>& axes, const Settings& settings = planned_quadratics()) {
  std::vector<Axis> parsed;
  for (const std::string& axis : axes) parsed.push_back(parse_axis(axis));
  return make_plan({{"fedavg-quadratics", settings}}, parsed);
}

inline std::vector<std::string> names(const SweepPlan& plan) {
  std::vector<std::string> found;
  for (const PlannedRun& run : plan.runs) found.push_back(run.name);
  return found;
}

}  // namespace paretofl
