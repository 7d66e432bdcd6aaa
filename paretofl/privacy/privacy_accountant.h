#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "paretofl/privacy/cohort_sampling.h"

namespace paretofl {

/// The range of noise multipliers that accountants take.
inline constexpr double kMinNoiseMultiplier = 0.01;
inline constexpr double kMaxNoiseMultiplier = 1e6;

/// Adds up what releases with Gaussian noise disclose about one client, and states it as (epsilon, delta)-differential privacy. A bound:
/// the true epsilon is at most the one reported. Adaptive composition is covered: a release may depend on all earlier ones.
///
/// A noise multiplier is the standard deviation of the noise divided by the L2 sensitivity: the largest change of the released sum between
/// neighbouring data sets. If every client's vector is clipped to the norm C, that is C under Poisson sampling (one client more or less),
/// and 2 C under sampling of a fixed size (one client's vector becomes another).
///
/// Not thread-safe.
class PrivacyAccountant {
 public:
  virtual ~PrivacyAccountant() = default;

  /// Adds `count` steps. Each draws a new sample of clients and releases one sum over it with Gaussian noise. Several releases over the
  /// same sample are one step with combined_noise(). Throws Error on a noise multiplier outside of
  /// [kMinNoiseMultiplier, kMaxNoiseMultiplier], on a negative count, and on a sampling that the accountant cannot account for.
  virtual void add(double noise_multiplier, const CohortSampling& sampling, std::int64_t count = 1) = 0;

  /// The smallest epsilon >= 0 that the accountant can show for what was added. Infinity where it can show none. Throws Error unless
  /// kMinDelta <= delta < 1.
  virtual double epsilon(double delta) const = 0;
};

/// "rdp", "pld"
const std::vector<std::string>& accountant_names();

/// Throws Error on another name.
std::unique_ptr<PrivacyAccountant> make_accountant(const std::string& name);

/// The noise multiplier of one release that discloses as much as several over the same sample together: with noise multipliers z_i, each
/// relative to its own sensitivity, 1 / sqrt(sum_i 1 / z_i^2). Exact, because a composition of Gaussian mechanisms is a Gaussian mechanism.
/// Throws Error on an empty list and on a number that is not positive.
double combined_noise(const std::vector<double>& noise_multipliers);

/// The smallest delta that epsilon() takes: below, the rounding errors of double precision would count.
inline constexpr double kMinDelta = 1e-12;
void check_delta(double delta);
void check_noise_multiplier(double noise_multiplier);
void check_step_count(std::int64_t count);

}  // namespace paretofl
