#include "paretofl/objectives/dirichlet_preferences.h"

#include <vector>

namespace paretofl {

void DirichletPreferencesOptions::describe(OptionVisitor& visit) {
  visit.real("concentration", concentration, 1e-3, 1e6, "alpha of every objective; 1: uniform on the simplex");
}

Preference DirichletPreferences::draw_valid(const PreferenceHolder& holder, Random& random) const {
  return {random.dirichlet(std::vector<double>(holder.objectives, options_.concentration)), holder.objectives};
}

}  // namespace paretofl
