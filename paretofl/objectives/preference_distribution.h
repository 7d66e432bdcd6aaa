#pragma once

#include <cstddef>
#include <memory>

#include "paretofl/core/random.h"
#include "paretofl/objectives/preference.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// Whose preference is drawn: client number `client` of `clients`, over M objectives.
struct PreferenceHolder {
  std::size_t objectives = 0;
  std::size_t client = 0;
  std::size_t clients = 0;
};

/// Where the clients' preferences come from (FedPref, Section 4.2.1). Each client draws its own, so
/// nobody else need know it. Stateless, and safe to share between threads.
class PreferenceDistribution {
 public:
  virtual ~PreferenceDistribution() = default;
  /// Throws Error unless M >= 1 and client < clients.
  Preference draw(const PreferenceHolder& holder, Random& random) const;

 private:
  virtual Preference draw_valid(const PreferenceHolder& holder, Random& random) const = 0;
};

/// Every preference distribution by name.
Registry<std::unique_ptr<PreferenceDistribution>(const Settings&)>& preference_distributions();

/// The preference distribution a config asks for.
std::unique_ptr<PreferenceDistribution> make_preference_distribution(const Component& component);

}  // namespace paretofl
