#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Catch fish or collect wood (Roijers et al. 2018, "Multi-objective Reinforcement Learning for the Expected Utility of the Return",
/// as in MO-Gymnasium).
///
/// Observation int32 (0 at the water, 1 in the woods), from the woods. Actions 0 go to the water, 1 go to the woods. Reward (fish,
/// wood) of the place that the action leaves: 1 fish with probability 0.1 at the water, 1 wood with probability 0.9 in the woods.
/// 200 steps, of which the last both terminates and truncates, as published.
std::unique_ptr<Environment> make_fishwood(std::string id);

}  // namespace paretofl
