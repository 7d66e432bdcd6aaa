#pragma once

#include "paretofl/objectives/preference_distribution.h"

namespace paretofl {

struct LatticePreferencesOptions {
  void describe(OptionVisitor& visit);
};

/// Preferences at equidistant points of the simplex (FedPref, Section 4.2.1: "equally spaced in the
/// weight simplex"): the lattice of vectors (k_1, ..., k_M) / H with integers k_j >= 0 that sum to H,
/// whose neighbours are all sqrt(2) / H apart. H is the smallest that gives every client its own
/// point. Where that is more points than clients, the first M clients take the corners, and the others
/// evenly spaced ones of the rest in descending lexicographic order; else client i takes the i-th of
/// all. A lone client gets the uniform preference. Nothing is random.
class LatticePreferences : public PreferenceDistribution {
 public:
  explicit LatticePreferences(LatticePreferencesOptions /*options*/) {}

 private:
  Preference draw_valid(const PreferenceHolder& holder, Random& random) const override;
};

}  // namespace paretofl
