#include "paretofl/objectives/preference_distribution.h"

#include "paretofl/core/error.h"

namespace paretofl {

Preference PreferenceDistribution::draw(const PreferenceHolder& holder, Random& random) const {
  expect(holder.objectives > 0, "preference: expected at least 1 objective, found 0");
  expect(holder.client < holder.clients, "preference: expected a client below {}, found {}", holder.clients, holder.client);
  return draw_valid(holder, random);
}

}  // namespace paretofl
