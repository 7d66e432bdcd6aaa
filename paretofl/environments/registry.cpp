#include "paretofl/environments/deep_sea_treasure.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/minecart.h"

namespace paretofl {
namespace {

using EnvironmentRegistry = Registry<std::unique_ptr<Environment>()>;

template <class Kind, class... Arguments>
EnvironmentRegistry::Entry entry(std::string id, std::string summary, std::string reference, Arguments... arguments) {
  return {{id, std::move(summary), std::move(reference), [](OptionVisitor&) {}},
          [id, arguments...] { return std::make_unique<Kind>(id, arguments...); }};
}

}  // namespace

const EnvironmentRegistry& environments() {
  static const EnvironmentRegistry kRegistry(
      "environment",
      {entry<DeepSeaTreasure>("deep-sea-treasure-v0", "treasure against time; convex front of ten paths", "Yang et al. 2019",
                              DeepSeaTreasure::kConvex),
       entry<DeepSeaTreasure>("deep-sea-treasure-concave-v0", "treasure against time; concave front of ten paths", "Vamplew et al. 2011",
                              DeepSeaTreasure::kConcave),
       entry<Minecart>("minecart-v0", "two ores against fuel; what a mine yields is random", "Abels et al. 2019", Minecart::Yield::kRandom),
       entry<Minecart>("minecart-deterministic-v0", "two ores against fuel; a mine yields the same every time", "Abels et al. 2019",
                       Minecart::Yield::kFixed)});
  return kRegistry;
}

}  // namespace paretofl
