#pragma once

#include "paretofl/registry/part_library.h"

namespace paretofl {

class Environment;

/// The environments whose physics MuJoCo computes, and those whose physics Box2D computes.
inline constexpr PartLibrary kMujocoLibrary{
    .file = "libparetofl_mujoco.so", .dependency = "MuJoCo", .option = "PARETOFL_MUJOCO", .package = "paretofl-simulators"};
inline constexpr PartLibrary kBox2dLibrary{
    .file = "libparetofl_box2d.so", .dependency = "Box2D", .option = "PARETOFL_BOX2D", .package = "paretofl-simulators"};

}  // namespace paretofl

/// The functions of these libraries: a new environment of the registered name `id`, which the caller owns. Others are bugs.
extern "C" paretofl::Environment* paretofl_make_mujoco_environment(const char* id);
extern "C" paretofl::Environment* paretofl_make_box2d_environment(const char* id);
