#include "paretofl/privacy/noise_search.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

/// A sampling rate, or the cohort's and all clients' number.
PlannedReleases plan_of(std::optional<double> rate, std::int64_t cohort, std::int64_t clients, std::int64_t rounds, std::int64_t releases) {
  return {rate ? CohortSampling::poisson(*rate) : CohortSampling::fixed_size(cohort, clients), rounds, releases};
}

}  // namespace

void bind_privacy(nb::module_& module) {
  module.def(
      "epsilon",
      [](const std::string& accountant, double noise, std::optional<double> rate, std::int64_t cohort, std::int64_t clients,
         std::int64_t rounds, std::int64_t releases,
         double delta) { return planned_epsilon(accountant, plan_of(rate, cohort, clients, rounds, releases), noise, delta); },
      "accountant"_a, "noise_multiplier"_a, "sampling_rate"_a.none(), "cohort"_a, "clients"_a, "rounds"_a, "releases"_a, "delta"_a);
  module.def(
      "noise_multiplier",
      [](const std::string& accountant, double epsilon, std::optional<double> rate, std::int64_t cohort, std::int64_t clients,
         std::int64_t rounds, std::int64_t releases,
         double delta) { return smallest_noise_multiplier(accountant, plan_of(rate, cohort, clients, rounds, releases), epsilon, delta); },
      "accountant"_a, "epsilon"_a, "sampling_rate"_a.none(), "cohort"_a, "clients"_a, "rounds"_a, "releases"_a, "delta"_a);
}

}  // namespace paretofl::python
