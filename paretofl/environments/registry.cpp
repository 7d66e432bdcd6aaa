#include "paretofl/environments/deep_sea_treasure.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/four_room.h"
#include "paretofl/environments/fruit_tree.h"
#include "paretofl/environments/half_cheetah.h"
#include "paretofl/environments/hopper.h"
#include "paretofl/environments/lunar_lander.h"
#include "paretofl/environments/minecart.h"
#include "paretofl/environments/mountain_car.h"
#include "paretofl/environments/reacher.h"
#include "paretofl/environments/resource_gathering.h"

namespace paretofl {
namespace {

using EnvironmentRegistry = Registry<std::unique_ptr<Environment>()>;

template <class Kind, class... Arguments>
EnvironmentRegistry::Entry entry(std::string id, std::string summary, std::string reference, Arguments... arguments) {
  return {{id, std::move(summary), std::move(reference), [](OptionVisitor&) {}},
          [id, arguments...] { return std::make_unique<Kind>(id, arguments...); }};
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
       entry<LunarLander>("mo-lunar-lander-v2", "a safe landing, its shaping, main and side engine fuel", "Klimov 2016",
                          LunarLander::Engines::kDiscrete),
       entry<LunarLander>("mo-lunar-lander-continuous-v2", "the same landing with throttled engines", "Klimov 2016",
                          LunarLander::Engines::kContinuous),
       entry<HalfCheetah>("mo-halfcheetah-v4", "running speed against effort", "Wawrzynski 2007"),
       entry<Hopper>("mo-hopper-v4", "hopping speed, height and effort", "Erez et al. 2011"),
       entry<Reacher>("mo-reacher-v4", "a fingertip near four targets", "Gymnasium Reacher-v4")});
  return registry;
}

}  // namespace paretofl
