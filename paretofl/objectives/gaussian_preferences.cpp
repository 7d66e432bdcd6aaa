#include "paretofl/objectives/gaussian_preferences.h"

#include <algorithm>
#include <vector>

namespace paretofl {

void GaussianPreferencesOptions::describe(OptionVisitor& visit) {
  visit.real("deviation", deviation, 0, 1e6, "standard deviation before clipping, relative to the mean");
}

Preference GaussianPreferences::draw_valid(const PreferenceHolder& holder, Random& random) const {
  std::vector<double> weights(holder.objectives);
  do {
    for (double& weight : weights) weight = std::max(0.0, 1 + options_.deviation * random.normal());
  } while (*std::max_element(weights.begin(), weights.end()) == 0);
  return {std::move(weights), holder.objectives};
}

}  // namespace paretofl
