#include "paretofl/agents/bounded_actions.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

ActionSpace bounded_actions(const EnvironmentSpec& spec, std::string_view agent) {
  expect(!spec.action.discrete(), "{}: expected an environment of continuous actions, found {}", agent, spec.id);
  for (std::size_t i = 0; i < spec.action.size(); ++i) {
    expect(std::isfinite(spec.action.low[i]) && std::isfinite(spec.action.high[i]), "{}: expected bounded actions, found those of {}",
           agent, spec.id);
  }
  return spec.action;
}

void stretch_to_bounds(const ActionSpace& actions, std::span<const double> scaled, std::span<double> action) {
  for (std::size_t i = 0; i < action.size(); ++i) {
    action[i] = actions.low[i] + 0.5 * (scaled[i] + 1) * (actions.high[i] - actions.low[i]);
  }
}

std::string stretched_to_bounds(NetworkGraph& graph, const ActionSpace& actions, const std::string& scaled) {
  std::vector<float> centre, half_range;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    centre.push_back(static_cast<float>(0.5 * (actions.low[i] + actions.high[i])));
    half_range.push_back(static_cast<float>(0.5 * (actions.high[i] - actions.low[i])));
  }
  const auto a = static_cast<std::int64_t>(actions.size());
  const std::string stretched = graph.add("Mul", {scaled, graph.floats({a}, half_range)});
  return graph.add("Add", {stretched, graph.floats({a}, centre)});
}

}  // namespace paretofl
