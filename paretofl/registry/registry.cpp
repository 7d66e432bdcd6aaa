#include "paretofl/registry/registry.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

const RegistryEntry& RegistryBase::entry(std::string_view name) const {
  std::vector<std::string> known;
  for (const RegistryEntry* entry : entries()) {
    if (entry->name == name) return *entry;
    known.push_back(entry->name);
  }
  const std::string near = nearest(name, known);
  throw Error(fmt::format("{}: expected one of {}; found '{}'{}", kind_, fmt::join(known, ", "), name,
                          near.empty() ? "" : "; did you mean " + near + "?"));
}

void RegistryBase::check_new(const RegistryEntry& entry, bool has_factory) const {
  expect(!entry.name.empty(), "{}: expected a name for every part, found none", kind_);
  expect(static_cast<bool>(entry.describe) && has_factory, "{}: expected a describe function and a factory of '{}', found none", kind_,
         entry.name);
  for (const RegistryEntry* other : entries()) {
    expect(other->name != entry.name, "{}: expected a new name, found '{}', which {} has", kind_, entry.name,
           other->origin.empty() ? "a part of ParetoFL" : "a part of " + other->origin);
  }
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(3, word.size() / 2 + 1);
  for (const std::string& candidate : known) {
    // An abbreviation is nearer than any typing error.
    const std::size_t distance = !word.empty() && candidate.starts_with(word) ? 0 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace paretofl
