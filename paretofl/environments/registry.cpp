#include "paretofl/environments/breakable_bottles.h"
#include "paretofl/environments/deep_sea_treasure.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/fishwood.h"
#include "paretofl/environments/four_room.h"
#include "paretofl/environments/fruit_tree.h"
#include "paretofl/environments/minecart.h"
#include "paretofl/environments/mountain_car.h"
#include "paretofl/environments/resource_gathering.h"
#include "paretofl/environments/simulator_libraries.h"
#include "paretofl/environments/water_reservoir.h"

namespace paretofl {
namespace {

using EnvironmentRegistry = Registry<std::unique_ptr<Environment>()>;

/// `variant` tells environments of one kind apart.
template <class... Variant>
EnvironmentRegistry::Entry entry(std::string id, std::string summary, std::string reference,
                                 std::unique_ptr<Environment> (*make)(std::string id, Variant...), std::decay_t<Variant>... variant) {
  return {{id, std::move(summary), std::move(reference), [](OptionVisitor&) {}}, [id, make, variant...] { return make(id, variant...); }};
}

/// An environment of a simulator's library, by the library's function.
template <class Function>
EnvironmentRegistry::Entry simulated(const PartLibrary& library, const char* function, std::string id, std::string summary,
                                     std::string reference) {
  return {{id, std::move(summary), std::move(reference), [](OptionVisitor&) {}}, [&library, function, id] {
            return std::unique_ptr<Environment>(reinterpret_cast<Function>(library_function(library, function))(id.c_str()));
          }};
}

EnvironmentRegistry::Entry on_mujoco(std::string id, std::string summary, std::string reference) {
  return simulated<decltype(&paretofl_make_mujoco_environment)>(kMujocoLibrary, "paretofl_make_mujoco_environment", std::move(id),
                                                                std::move(summary), std::move(reference));
}

EnvironmentRegistry::Entry on_box2d(std::string id, std::string summary, std::string reference) {
  return simulated<decltype(&paretofl_make_box2d_environment)>(kBox2dLibrary, "paretofl_make_box2d_environment", std::move(id),
                                                               std::move(summary), std::move(reference));
}

}  // namespace

EnvironmentRegistry& environments() {
  static EnvironmentRegistry registry(
      "environment",
      {entry("deep-sea-treasure-v0", "treasure against time; convex front of ten paths", "Yang et al. 2019", make_deep_sea_treasure,
             SeaMap::kConvex),
       entry("deep-sea-treasure-concave-v0", "treasure against time; concave front of ten paths", "Vamplew et al. 2011",
             make_deep_sea_treasure, SeaMap::kConcave),
       entry("deep-sea-treasure-mirrored-v0", "treasure against time; the concave front on one side of a sea", "Felten et al. 2022",
             make_deep_sea_treasure, SeaMap::kMirrored),
       entry("minecart-v0", "two ores against fuel; what a mine yields is random", "Abels et al. 2019", make_minecart,
             MinecartYield::kRandom),
       entry("minecart-deterministic-v0", "two ores against fuel; a mine yields the same every time", "Abels et al. 2019", make_minecart,
             MinecartYield::kFixed),
       entry("mo-mountaincar-v0", "time against pushes back and forward", "Moore 1990", make_mountain_car,
             std::vector{CarObjective::kTime, CarObjective::kBackward, CarObjective::kForward}),
       entry("mo-mountaincar-3d-v0", "time against pushes and speed", "Moore 1990", make_mountain_car,
             std::vector{CarObjective::kTime, CarObjective::kMoves, CarObjective::kSpeed}),
       entry("mo-mountaincar-timemove-v0", "time against pushes", "Moore 1990", make_mountain_car,
             std::vector{CarObjective::kTime, CarObjective::kMoves}),
       entry("mo-mountaincar-timespeed-v0", "time against speed", "Moore 1990", make_mountain_car,
             std::vector{CarObjective::kTime, CarObjective::kSpeed}),
       entry("mo-mountaincarcontinuous-v0", "time against fuel of a throttled engine", "Moore 1990", make_continuous_mountain_car),
       entry("four-room-v0", "three kinds of shapes on the way to a goal", "Barreto et al. 2017", make_four_room),
       entry("resource-gathering-v0", "gold and gem against survival", "Barrett and Narayanan 2008", make_resource_gathering),
       entry("fruit-tree-v0", "six nutrients of the fruits of a binary tree", "Yang et al. 2019", make_fruit_tree),
       entry("breakable-bottles-v0", "time, bottles brought home, and none broken on the way", "Vamplew et al. 2021",
             make_breakable_bottles),
       entry("fishwood-v0", "fish against wood, by chance", "Roijers et al. 2018", make_fishwood),
       entry("water-reservoir-v0", "flooding above a dam against drought below it", "Castelletti et al. 2012", make_water_reservoir),
       on_box2d("mo-lunar-lander-v2", "a safe landing, its shaping, main and side engine fuel", "Klimov 2016"),
       on_box2d("mo-lunar-lander-continuous-v2", "the same landing with throttled engines", "Klimov 2016"),
       on_box2d("mo-lunar-lander-v3", "as v2", "Klimov 2016"),
       on_box2d("mo-lunar-lander-continuous-v3", "as v2", "Klimov 2016"),
       on_mujoco("mo-halfcheetah-v4", "running speed against effort", "Wawrzynski 2007"),
       on_mujoco("mo-halfcheetah-v5", "as v4 with the effort unscaled", "Wawrzynski 2007"),
       on_mujoco("mo-hopper-v4", "hopping speed, height and effort", "Erez et al. 2011"),
       on_mujoco("mo-hopper-2d-v4", "hopping speed and height, each less some of the effort", "Erez et al. 2011"),
       on_mujoco("mo-hopper-v5", "as v4 without pay for the step that falls", "Erez et al. 2011"),
       on_mujoco("mo-hopper-2obj-v5", "as mo-hopper-2d-v4 without pay for the step that falls", "Erez et al. 2011"),
       on_mujoco("mo-walker2d-v4", "walking speed against effort", "Erez et al. 2011"),
       on_mujoco("mo-walker2d-v5", "as v4 with equal feet, without pay for the step that falls", "Erez et al. 2011"),
       on_mujoco("mo-ant-v4", "speeds along two axes and effort of four legs", "Schulman et al. 2016"),
       on_mujoco("mo-ant-2d-v4", "speeds along two axes, each less some of the effort", "Schulman et al. 2016"),
       on_mujoco("mo-ant-v5", "as v4 with contact forces, seen and paid for", "Schulman et al. 2016"),
       on_mujoco("mo-ant-2obj-v5", "as mo-ant-2d-v4 with contact forces, seen and paid for", "Schulman et al. 2016"),
       on_mujoco("mo-swimmer-v4", "swimming speed against effort", "Coulom 2002"),
       on_mujoco("mo-swimmer-v5", "as v4", "Coulom 2002"),
       on_mujoco("mo-humanoid-v4", "running speed against effort of a body on two legs", "Tassa et al. 2012"),
       on_mujoco("mo-humanoid-v5", "as v4 with contact forces paid for, and less of the world seen", "Tassa et al. 2012"),
       on_mujoco("mo-reacher-v4", "a fingertip near four targets", "Gymnasium Reacher-v4"),
       on_mujoco("mo-reacher-v5", "as v4 with targets that stand still", "Gymnasium Reacher-v5")});
  return registry;
}

}  // namespace paretofl
