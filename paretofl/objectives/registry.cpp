#include "paretofl/objectives/dirichlet_preferences.h"
#include "paretofl/objectives/gaussian_preferences.h"
#include "paretofl/objectives/group_preferences.h"
#include "paretofl/objectives/lattice_preferences.h"
#include "paretofl/objectives/uniform_preferences.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {

Registry<std::unique_ptr<PreferenceDistribution>(const Settings&)>& preference_distributions() {
  static Registry<std::unique_ptr<PreferenceDistribution>(const Settings&)> registry(
      "preference distribution",
      {{{"dirichlet", "uniform on the simplex, or nearer its corners or its centre", "FedPref, Section 4.2.1",
         described<DirichletPreferencesOptions>()},
        [](const Settings& settings) {
          return std::make_unique<DirichletPreferences>(read_options<DirichletPreferencesOptions>(settings, "dirichlet"));
        }},
       {{"gaussian", "scattered about the uniform preference, clipped at 0", "FedPref, Section 4.2.1",
         described<GaussianPreferencesOptions>()},
        [](const Settings& settings) {
          return std::make_unique<GaussianPreferences>(read_options<GaussianPreferencesOptions>(settings, "gaussian"));
        }},
       {{"groups", "all clients of a group have the same preference", "FedPref, Section 4.5", described<GroupPreferencesOptions>()},
        [](const Settings& settings) {
          return std::make_unique<GroupPreferences>(read_options<GroupPreferencesOptions>(settings, "groups"));
        }},
       {{"lattice", "equidistant points of the simplex, one per client", "FedPref, Section 4.2.1", described<LatticePreferencesOptions>()},
        [](const Settings& settings) {
          return std::make_unique<LatticePreferences>(read_options<LatticePreferencesOptions>(settings, "lattice"));
        }},
       {{"uniform", "every objective the same, for everyone", "", described<UniformPreferencesOptions>()}, [](const Settings& settings) {
          read_options<UniformPreferencesOptions>(settings, "uniform");
          return std::make_unique<UniformPreferences>();
        }}});
  return registry;
}

std::unique_ptr<PreferenceDistribution> make_preference_distribution(const Component& component) {
  return preference_distributions().at(component.name).make(component.settings);
}

}  // namespace paretofl
