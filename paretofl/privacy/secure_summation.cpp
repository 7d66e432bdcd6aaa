#include "paretofl/privacy/secure_summation.h"

#include "paretofl/privacy/summed_values.h"

namespace paretofl {

CohortMean SecureSummation::sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) {
  MaskedSum masked = sum_.sum(round, cohort, request, save(spec), 1 + spec.size());
  std::vector<double> sums;
  sums.reserve(masked.values.size());
  for (const std::uint64_t value : masked.values) sums.push_back(fixed_point_.decode(value));
  return mean_of_sums(sums, spec, std::move(masked.cohort));
}

}  // namespace paretofl
