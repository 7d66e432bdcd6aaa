#include "paretofl/objectives/group_preferences.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/objectives/lattice_preferences.h"

namespace paretofl {
namespace {

constexpr std::size_t kGroups = 4;

std::vector<double> even_sizes(std::size_t clients) {
  const std::size_t groups = std::min(kGroups, clients);
  std::vector<double> sizes;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t size = clients / groups + (g < clients % groups ? 1 : 0);
    sizes.push_back(static_cast<double>(size));
  }
  return sizes;
}

}  // namespace

void GroupPreferencesOptions::describe(OptionVisitor& visit) {
  visit.reals("sizes", sizes, 1, kMaxInt, "clients per group, which sum to the number of clients; empty: 4 equal groups");
  visit.reals("preferences", preferences, 0, kInfinity, "one preference per group, one after the other; empty: points of the lattice");
}

Preference GroupPreferences::draw_valid(const PreferenceHolder& holder, Random& random) const {
  const std::vector<double> sizes = options_.sizes.empty() ? even_sizes(holder.clients) : options_.sizes;
  double sum = 0;
  for (const double size : sizes) {
    expect(size >= 1 && size == std::floor(size), "groups.sizes: expected whole numbers of at least 1, found {}", size);
    sum += size;
  }
  expect(sum == static_cast<double>(holder.clients), "groups.sizes: expected a sum of {} clients, found {}", holder.clients, sum);
  const std::size_t objectives = holder.objectives;
  const std::vector<double>& preferences = options_.preferences;
  expect(preferences.empty() || preferences.size() == sizes.size() * objectives,
         "groups.preferences: expected {} numbers for {} groups and {} objectives, found {}", sizes.size() * objectives, sizes.size(),
         objectives, preferences.size());

  std::size_t group = 0;
  for (double end = sizes[0]; static_cast<double>(holder.client) >= end; end += sizes[group]) ++group;
  if (preferences.empty()) {
    return LatticePreferences({}).draw({.objectives = objectives, .client = group, .clients = sizes.size()}, random);
  }
  const auto row = preferences.begin() + static_cast<std::ptrdiff_t>(group * objectives);
  return {std::vector<double>(row, row + static_cast<std::ptrdiff_t>(objectives)), objectives};
}

}  // namespace paretofl
