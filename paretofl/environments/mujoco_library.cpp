#include <fmt/format.h>

#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/environments/half_cheetah.h"
#include "paretofl/environments/hopper.h"
#include "paretofl/environments/reacher.h"
#include "paretofl/environments/simulator_libraries.h"

paretofl::Environment* paretofl_make_mujoco_environment(const char* id) {
  const std::string_view name = id;
  if (name == "mo-halfcheetah-v4") return new paretofl::HalfCheetah(id);
  if (name == "mo-hopper-v4") return new paretofl::Hopper(id);
  if (name == "mo-reacher-v4") return new paretofl::Reacher(id);
  throw paretofl::Error(fmt::format("expected an environment on MuJoCo, found '{}'", id));
}
