#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// What a mine of Minecart yields per substep: its mean amounts, or random ones around them.
enum class MinecartYield { kFixed, kRandom };

/// A cart leaves its base, mines two ores at five mines and brings them home (Abels et al. 2019, as in MO-Gymnasium).
/// Each action is applied for 4 substeps. The unit square has the base at its corner (0, 0).
///
/// Observation float32 (x, y, speed, sin and cos of the heading, each ore as a share of the capacity 1.5). Actions
/// 0 mine, 1 turn left, 2 turn right (10 degrees per substep), 3 accelerate, 4 brake, 5 none. Reward float32 (ore 0 and
/// ore 1 brought home, fuel <= 0): fuel is 0.02 per step, 0.1 more to accelerate, 0.2 more to mine. Coming home
/// terminates. 1000 steps. Mines yield fixed amounts per substep, or normal ones with deviation 0.05, cut at 0.
std::unique_ptr<Environment> make_minecart(std::string id, MinecartYield yield);

}  // namespace paretofl
