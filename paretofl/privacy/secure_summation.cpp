#include "paretofl/privacy/secure_summation.h"

#include <algorithm>

#include "paretofl/privacy/summed_values.h"

namespace paretofl {

CohortMean SecureSummation::sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) {
  const Release release = releases_.begin(round, spec);
  release.expect_wide_noise(1 / static_cast<double>(std::max<std::size_t>(cohort.size(), 1)));
  Record told = save(spec);
  told.records.emplace(kReleased, releases_.for_clients());
  MaskedSum masked = sum_.sum(round, cohort, request, told, release.size());
  return releases_.end(round, release, masked.values, std::move(masked.cohort));
}

}  // namespace paretofl
