#pragma once

#include "paretofl/core/summation.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/privacy/secure_sum.h"

namespace paretofl {

/// The mean over the cohort by secure sums, of clients made with_masking(). Its numbers are off by the rounding of FixedPoint.
class SecureSummation : public Summation {
 public:
  SecureSummation(const SecureSumOptions& options, int bits, std::size_t summands) : sum_(options), fixed_point_(bits, summands) {}

  CohortMean sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) override;

 private:
  SecureSum sum_;
  FixedPoint fixed_point_;
};

}  // namespace paretofl
