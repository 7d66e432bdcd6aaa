#include <fmt/format.h>

#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/environments/locomotion.h"
#include "paretofl/environments/locomotion_tasks.h"
#include "paretofl/environments/reacher.h"
#include "paretofl/environments/simulator_libraries.h"

paretofl::Environment* paretofl_make_mujoco_environment(const char* id) {
  const std::string_view name = id;
  const auto& tasks = paretofl::locomotion_tasks();
  if (const auto task = tasks.find(name); task != tasks.end()) return paretofl::make_locomotion(id, task->second).release();
  if (name == "mo-reacher-v4") return paretofl::make_reacher(id, paretofl::ReacherTargets::kDrifting).release();
  if (name == "mo-reacher-v5") return paretofl::make_reacher(id, paretofl::ReacherTargets::kStill).release();
  throw paretofl::Error(fmt::format("expected an environment on MuJoCo, found '{}'", id));
}
