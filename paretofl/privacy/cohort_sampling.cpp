#include "paretofl/privacy/cohort_sampling.h"

#include "paretofl/core/error.h"

namespace paretofl {

CohortSampling CohortSampling::poisson(double rate) {
  expect(rate > 0 && rate <= 1, "sampling rate: expected a number above 0 and at most 1, found {}", rate);
  return {Kind::kPoisson, rate};
}

CohortSampling CohortSampling::fixed_size(std::int64_t cohort, std::int64_t clients) {
  expect(cohort >= 1 && cohort <= clients, "cohort: expected 1 to {} clients, found {}", clients, cohort);
  return {Kind::kFixedSize, static_cast<double>(cohort) / static_cast<double>(clients)};
}

}  // namespace paretofl
