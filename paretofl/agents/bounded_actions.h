#pragma once

#include <span>
#include <string>
#include <string_view>

#include "paretofl/environments/environment.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

/// The actions of an environment for an agent whose networks act in [-1, 1]. Throws Error naming the agent unless they are real numbers
/// between finite bounds.
ActionSpace bounded_actions(const EnvironmentSpec& spec, std::string_view agent);

/// From [-1, 1] [A] to the bounds of the actions [A]; both may be the same memory.
void stretch_to_bounds(const ActionSpace& actions, std::span<const double> scaled, std::span<double> action);
/// The same in a network's graph: the value of the actions [N, A] that `scaled` [N, A] stands for.
std::string stretched_to_bounds(NetworkGraph& graph, const ActionSpace& actions, const std::string& scaled);

}  // namespace paretofl
