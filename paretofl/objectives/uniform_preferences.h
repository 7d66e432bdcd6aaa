#pragma once

#include "paretofl/objectives/preference_distribution.h"

namespace paretofl {

struct UniformPreferencesOptions {
  void describe(OptionVisitor&) {}
};

/// All clients have the uniform preference. Nothing is random.
class UniformPreferences : public PreferenceDistribution {
 private:
  Preference draw_valid(const PreferenceHolder& holder, Random&) const override { return uniform_preference(holder.objectives); }
};

}  // namespace paretofl
