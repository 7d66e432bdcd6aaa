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

/// `variant` tells environments of one kind apart.
template <class... Variant>
EnvironmentRegistry::Entry entry(std::string id, std::string summary, std::string reference,
                                 std::unique_ptr<Environment> (*make)(std::string id, Variant...), std::decay_t<Variant>... variant) {
  return {{id, std::move(summary), std::move(reference), [](OptionVisitor&) {}}, [id, make, variant...] { return make(id, variant...); }};
}

}  // namespace

const EnvironmentRegistry& environments() {
  static const EnvironmentRegistry kRegistry(
      "environment",
      {entry("deep-sea-treasure-v0", "treasure against time; convex front of ten paths", "Yang et al. 2019", make_deep_sea_treasure,
             kConvexTreasures),
       entry("deep-sea-treasure-concave-v0", "treasure against time; concave front of ten paths", "Vamplew et al. 2011",
             make_deep_sea_treasure, kConcaveTreasures),
       entry("minecart-v0", "two ores against fuel; what a mine yields is random", "Abels et al. 2019", make_minecart,
             MinecartYield::kRandom),
       entry("minecart-deterministic-v0", "two ores against fuel; a mine yields the same every time", "Abels et al. 2019", make_minecart,
             MinecartYield::kFixed),
       entry("mo-mountaincar-v0", "time against pushes back and forward", "Moore 1990", make_mountain_car),
       entry("four-room-v0", "three kinds of shapes on the way to a goal", "Barreto et al. 2017", make_four_room),
       entry("resource-gathering-v0", "gold and gem against survival", "Barrett and Narayanan 2008", make_resource_gathering),
       entry("fruit-tree-v0", "six nutrients of the fruits of a binary tree", "Yang et al. 2019", make_fruit_tree),
       entry("mo-lunar-lander-v2", "a safe landing, its shaping, main and side engine fuel", "Klimov 2016", make_lunar_lander,
             LanderEngines::kDiscrete),
       entry("mo-lunar-lander-continuous-v2", "the same landing with throttled engines", "Klimov 2016", make_lunar_lander,
             LanderEngines::kContinuous),
       entry("mo-halfcheetah-v4", "running speed against effort", "Wawrzynski 2007", make_half_cheetah),
       entry("mo-hopper-v4", "hopping speed, height and effort", "Erez et al. 2011", make_hopper),
       entry("mo-reacher-v4", "a fingertip near four targets", "Gymnasium Reacher-v4", make_reacher)});
  return kRegistry;
}

}  // namespace paretofl
