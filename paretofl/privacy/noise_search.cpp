#include "paretofl/privacy/noise_search.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {

namespace {

/// The smallest multiplier whose combination over the releases is one that accountants take.
double smallest_of(const PlannedReleases& plan) {
  expect(plan.releases >= 1, "releases: expected at least 1 per round, found {}", plan.releases);
  return plan.releases == 1 ? kMinNoiseMultiplier : kMinNoiseMultiplier * std::sqrt(static_cast<double>(plan.releases)) * (1 + 1e-12);
}

}  // namespace

double planned_epsilon(const std::string& accountant, const PlannedReleases& plan, double noise_multiplier, double delta) {
  const double smallest = smallest_of(plan);
  expect(noise_multiplier >= smallest && noise_multiplier <= kMaxNoiseMultiplier,
         "noise multiplier: expected a number from {:.6g} to {}, found {}", smallest, kMaxNoiseMultiplier, noise_multiplier);
  const auto chosen = make_accountant(accountant);
  chosen->add(noise_multiplier / std::sqrt(static_cast<double>(plan.releases)), plan.sampling, plan.rounds);
  return chosen->epsilon(delta);
}

double smallest_noise_multiplier(const std::string& accountant, const PlannedReleases& plan, double epsilon, double delta) {
  expect(epsilon > 0 && std::isfinite(epsilon), "epsilon: expected a positive number, found {}", epsilon);
  const double smallest = smallest_of(plan);
  const auto suffices = [&](double noise) { return planned_epsilon(accountant, plan, noise, delta) <= epsilon; };
  expect(suffices(kMaxNoiseMultiplier), "epsilon: expected one that a noise multiplier up to {} reaches, found {}", kMaxNoiseMultiplier,
         epsilon);
  double high = std::max(1.0, smallest);
  double low = high;
  while (!suffices(high)) {
    low = high;
    high = std::min(2 * high, kMaxNoiseMultiplier);
  }
  while (low == high || suffices(low)) {
    high = low;
    if (low == smallest) return low;
    low = std::max(low / 2, smallest);
  }
  while (high > 1.0001 * low) {
    const double middle = std::sqrt(low * high);
    (suffices(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace paretofl
