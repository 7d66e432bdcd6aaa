#pragma once

#include "paretofl/privacy/releases.h"
#include "paretofl/secure_sums/secure_sum.h"

namespace paretofl {

/// The mean over the cohort by secure sums, of clients made with_masking(), which clip and add noise themselves. Its numbers are off by the
/// rounding of FixedPoint.
class SecureSummation : public Summation {
 public:
  SecureSummation(const SecureSumOptions& options, Releases& releases) : sum_(options), releases_(releases) {}

  static constexpr const char* kReleased = "release";  ///< record in that of a sum, of Releases::for_clients()

  CohortMean sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) override;

 private:
  SecureSum sum_;
  Releases& releases_;
};

}  // namespace paretofl
