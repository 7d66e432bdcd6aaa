#pragma once

#include "paretofl/objectives/preference_distribution.h"

namespace paretofl {

struct GaussianPreferencesOptions {
  double deviation = 0.5;  ///< standard deviation, relative to the mean
  void describe(OptionVisitor& visit);
};

/// Preferences scattered about the uniform one: an independent normal number of mean 1 per objective,
/// clipped at 0, the vector divided by its sum. FedPref (Section 4.2.1) says "sampled from a Gaussian
/// distribution" and that clients are "more likely to have more similar preferences" than under the
/// other two (4.2.2); mean, deviation, clipping and the sum of 1 are ours. A vector that is clipped to
/// zeros is drawn again.
class GaussianPreferences : public PreferenceDistribution {
 public:
  explicit GaussianPreferences(GaussianPreferencesOptions options) : options_(options) {}

 private:
  Preference draw_valid(const PreferenceHolder& holder, Random& random) const override;

  GaussianPreferencesOptions options_;
};

}  // namespace paretofl
