#include "paretofl/objectives/lattice_preferences.h"

#include <algorithm>
#include <vector>

namespace paretofl {
namespace {

// How many vectors of `parts` >= 1 integers >= 0 sum to `sum`: the binomial coefficient of
// sum + parts - 1 over the smaller of sum and parts - 1. Every product of factors so far is itself
// a binomial coefficient, so the divisions are exact.
std::size_t lattice_size(std::size_t parts, std::size_t sum) {
  const std::size_t smaller = std::min(sum, parts - 1);
  const std::size_t larger = std::max(sum, parts - 1);
  std::size_t count = 1;
  for (std::size_t i = 1; i <= smaller; ++i) count = count * (larger + i) / i;
  return count;
}

// The smallest number of divisions whose lattice has a point for each of so many clients.
std::size_t enough_divisions(std::size_t objectives, std::size_t clients) {
  std::size_t enough = 1, fewer = 0;
  for (; lattice_size(objectives, enough) < clients; enough *= 2) fewer = enough;
  while (enough - fewer > 1) {
    const std::size_t middle = fewer + (enough - fewer) / 2;
    (lattice_size(objectives, middle) < clients ? fewer : enough) = middle;
  }
  return enough;
}

// The place of the client's point among all in descending lexicographic order.
std::size_t rank_of_client(const PreferenceHolder& holder, std::size_t divisions) {
  const std::size_t objectives = holder.objectives;
  const std::size_t points = lattice_size(objectives, divisions);
  if (points == holder.clients) return holder.client;
  // The corner of objective k is the first of the points that give nothing to the objectives before k.
  const auto corner = [&](std::size_t k) { return points - lattice_size(objectives - k, divisions); };
  if (holder.client < objectives) return corner(holder.client);
  std::size_t rank = (2 * (holder.client - objectives) + 1) * (points - objectives) / (2 * (holder.clients - objectives));
  for (std::size_t k = 0; k < objectives; ++k) rank += rank >= corner(k) ? 1 : 0;
  return rank;
}

}  // namespace

void LatticePreferencesOptions::describe(OptionVisitor& /*visit*/) {}

Preference LatticePreferences::draw_valid(const PreferenceHolder& holder, Random& /*random*/) const {
  const std::size_t objectives = holder.objectives;
  if (holder.clients == 1 || objectives == 1) return uniform_preference(objectives);

  const std::size_t divisions = enough_divisions(objectives, holder.clients);
  std::size_t rank = rank_of_client(holder, divisions);

  // In descending order come first the points with the whole sum in the first part, then those with
  // one less, and so on; likewise within each group for the next part. As many points as a lattice of the sum r - 1 has leave less
  // than r to the later parts.
  std::vector<double> weights(objectives);
  std::size_t left = divisions;
  for (std::size_t k = 0; k + 1 < objectives; ++k) {
    std::size_t rest = 0, more = left + 1;  // rest: what this part leaves to the later ones, found by halves
    while (more - rest > 1) {
      const std::size_t middle = rest + (more - rest) / 2;
      (lattice_size(objectives - k, middle - 1) <= rank ? rest : more) = middle;
    }
    if (rest > 0) rank -= lattice_size(objectives - k, rest - 1);
    weights[k] = static_cast<double>(left - rest);
    left = rest;
  }
  weights[objectives - 1] = static_cast<double>(left);
  return {std::move(weights), objectives};
}

}  // namespace paretofl
