#include "paretofl/environments/deep_sea_treasure.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/four_room.h"
#include "paretofl/environments/fruit_tree.h"
#include "paretofl/environments/minecart.h"
#include "paretofl/environments/mountain_car.h"
#include "paretofl/environments/resource_gathering.h"
#include "paretofl/environments/simulator_libraries.h"

namespace paretofl {
namespace {

using EnvironmentRegistry = Registry<std::unique_ptr<Environment>()>;

template <class Kind, class... Arguments>
EnvironmentRegistry::Entry entry(std::string id, std::string summary, std::string reference, Arguments... arguments) {
  return {{id, std::move(summary), std::move(reference), [](OptionVisitor&) {}},
          [id, arguments...] { return std::make_unique<Kind>(id, arguments...); }};
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
      {entry<DeepSeaTreasure>("deep-sea-treasure-v0", "treasure against time; convex front of ten paths", "Yang et al. 2019",
                              DeepSeaTreasure::kConvex),
       entry<DeepSeaTreasure>("deep-sea-treasure-concave-v0", "treasure against time; concave front of ten paths", "Vamplew et al. 2011",
                              DeepSeaTreasure::kConcave),
       entry<Minecart>("minecart-v0", "two ores against fuel; what a mine yields is random", "Abels et al. 2019", Minecart::Yield::kRandom),
       entry<Minecart>("minecart-deterministic-v0", "two ores against fuel; a mine yields the same every time", "Abels et al. 2019",
                       Minecart::Yield::kFixed),
       entry<MountainCar>("mo-mountaincar-v0", "time against pushes back and forward", "Moore 1990"),
       entry<FourRoom>("four-room-v0", "three kinds of shapes on the way to a goal", "Barreto et al. 2017"),
       entry<ResourceGathering>("resource-gathering-v0", "gold and gem against survival", "Barrett and Narayanan 2008"),
       entry<FruitTree>("fruit-tree-v0", "six nutrients of the fruits of a binary tree", "Yang et al. 2019"),
       on_box2d("mo-lunar-lander-v2", "a safe landing, its shaping, main and side engine fuel", "Klimov 2016"),
       on_box2d("mo-lunar-lander-continuous-v2", "the same landing with throttled engines", "Klimov 2016"),
       on_mujoco("mo-halfcheetah-v4", "running speed against effort", "Wawrzynski 2007"),
       on_mujoco("mo-hopper-v4", "hopping speed, height and effort", "Erez et al. 2011"),
       on_mujoco("mo-reacher-v4", "a fingertip near four targets", "Gymnasium Reacher-v4")});
  return registry;
}

}  // namespace paretofl
