#include <fmt/format.h>

#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/environments/half_cheetah.h"
#include "paretofl/environments/hopper.h"
#include "paretofl/environments/reacher.h"
#include "paretofl/environments/simulator_libraries.h"

paretofl::Environment* paretofl_make_mujoco_environment(const char* id) {
  const std::string_view name = id;
  if (name == "mo-halfcheetah-v4") return paretofl::make_half_cheetah(id).release();
  if (name == "mo-hopper-v4") return paretofl::make_hopper(id).release();
  if (name == "mo-reacher-v4") return paretofl::make_reacher(id).release();
  throw paretofl::Error(fmt::format("expected an environment on MuJoCo, found '{}'", id));
}
