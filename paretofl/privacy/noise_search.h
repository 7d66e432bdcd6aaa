#pragma once

#include <cstdint>
#include <string>

#include "paretofl/privacy/cohort_sampling.h"

namespace paretofl {

/// What a run releases: in each of `rounds` rounds one cohort is sampled, and `releases` sums over it get noise of the same multiplier.
struct PlannedReleases {
  CohortSampling sampling;
  std::int64_t rounds = 1;
  std::int64_t releases = 1;
};

/// The epsilon of the plan, by the accountant of that name. Throws Error as PrivacyAccountant does, and on fewer than 1 release.
double planned_epsilon(const std::string& accountant, const PlannedReleases& plan, double noise_multiplier, double delta);

/// The smallest noise multiplier whose epsilon is at most the given one, by bisection: the next smaller one that was tried, by at most
/// 0.01 %, has a larger epsilon. Throws Error unless epsilon is positive and finite, and where even the largest multiplier that accountants
/// take does not suffice. Where the smallest does, it is returned.
double smallest_noise_multiplier(const std::string& accountant, const PlannedReleases& plan, double epsilon, double delta);

}  // namespace paretofl
