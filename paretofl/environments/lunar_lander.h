#pragma once

#include "paretofl/environments/environment.h"
#include "paretofl/environments/lunar_lander_episode.h"

namespace paretofl {

enum class LanderEngines { kDiscrete, kContinuous };

/// What an action of the discrete and of the continuous lander asks of the engines.
LanderThrust discrete_thrust(int action);
LanderThrust continuous_thrust(double main, double side);

/// A lander with three engines comes down on a random moon's flat pad (Gymnasium's LunarLander-v2 without wind; objectives
/// as in MO-Gymnasium's mo-lunar-lander-v2), in Box2D 2.4.
///
/// Observation float32 (position from the pad, velocity, angle, angular velocity, whether the right and the left leg touch),
/// scaled as published. Discrete actions 0 none, 1 left engine, 2 main engine, 3 right engine; continuous ones (main,
/// side), clipped to -1 .. 1: above 0 the main engine runs at half to full power, beyond +-0.5 a side engine at that power.
/// Reward float32 (-100 on a crash or beyond the side walls, 100 at rest; change of a shaping function; minus the main
/// engine's power; minus the side engine's). Crash, departure and rest terminate. 1000 steps.
///
/// A Box2D world keeps more than can be read out of it, so a state is the list of the episode's actions: the draws follow
/// from the stream, and loading plays the episode again, with the same bits (at most 1000 steps, some 20 ms).
std::unique_ptr<Environment> make_lunar_lander(std::string id, LanderEngines engines);

}  // namespace paretofl
