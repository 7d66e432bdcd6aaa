#include "paretofl/privacy/secure_summation.h"

#include "paretofl/privacy/summed_values.h"

namespace paretofl {

CohortMean SecureSummation::sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) {
  const Release release = releases_.begin(round, spec);
  Record told = save(spec);
  told.records.emplace(kReleased, releases_.for_clients());
  MaskedSum masked = sum_.sum(round, cohort, request, told, release.size());
  return releases_.end(round, release, masked.values, std::move(masked.cohort));
}

}  // namespace paretofl
