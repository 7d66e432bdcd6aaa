#include "paretofl/objectives/spaced_preferences.h"

#include <algorithm>

#include "paretofl/objectives/lattice_preferences.h"

namespace paretofl {

std::vector<Preference> spaced_preferences(std::size_t count, std::size_t objectives) {
  if (objectives == 1) return {uniform_preference(1)};
  const LatticePreferences lattice({});
  Random unused({}, "spaced_preferences");
  std::vector<Preference> preferences;
  for (std::size_t i = 0; i < count; ++i)
    preferences.push_back(lattice.draw({.objectives = objectives, .client = i, .clients = count}, unused));
  if (objectives == 2) std::ranges::sort(preferences, {}, [](const Preference& preference) { return preference[0]; });
  return preferences;
}

std::vector<std::vector<double>> weights_of(const std::vector<Preference>& preferences) {
  std::vector<std::vector<double>> weights;
  for (const Preference& preference : preferences) weights.emplace_back(preference.weights().begin(), preference.weights().end());
  return weights;
}

}  // namespace paretofl
