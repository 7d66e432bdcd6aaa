#pragma once

#include "paretofl/objectives/preference_distribution.h"

namespace paretofl {

struct DirichletPreferencesOptions {
  double concentration = 1;  ///< alpha of every objective
  void describe(OptionVisitor& visit);
};

/// Preferences from a symmetric Dirichlet distribution (FedPref, Section 4.2.2: "sampled uniformly at
/// random from the weight simplex", which is alpha = 1). Small alpha draws clients that want one
/// objective each, large alpha clients that agree.
class DirichletPreferences : public PreferenceDistribution {
 public:
  explicit DirichletPreferences(DirichletPreferencesOptions options) : options_(options) {}

 private:
  Preference draw_valid(const PreferenceHolder& holder, Random& random) const override;

  DirichletPreferencesOptions options_;
};

}  // namespace paretofl
