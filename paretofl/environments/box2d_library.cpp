#include <fmt/format.h>

#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/environments/lunar_lander.h"
#include "paretofl/environments/simulator_libraries.h"

paretofl::Environment* paretofl_make_box2d_environment(const char* id) {
  const std::string_view name = id;
  if (name == "mo-lunar-lander-v2" || name == "mo-lunar-lander-v3")
    return paretofl::make_lunar_lander(id, paretofl::LanderEngines::kDiscrete).release();
  if (name == "mo-lunar-lander-continuous-v2" || name == "mo-lunar-lander-continuous-v3")
    return paretofl::make_lunar_lander(id, paretofl::LanderEngines::kContinuous).release();
  throw paretofl::Error(fmt::format("expected an environment on Box2D, found '{}'", id));
}
