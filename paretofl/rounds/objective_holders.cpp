#include "paretofl/rounds/objective_holders.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

void check_all_objectives(const char* strategy, const Workload& workload) {
  expect(workload.has_all_objectives(), "{}: expected that every client has every objective, found clients with some of them", strategy);
}

void check_client_weighting(ClientWeighting weighting, const Workload& workload) {
  if (weighting == ClientWeighting::kUniform || workload.has_all_objectives()) return;
  const std::vector<int> own = workload.own_clients();
  for (const int client : own) {
    const double samples = workload.oracle(own.front())->num_samples();
    const double found = workload.oracle(client)->num_samples();
    expect(found == samples,
           "strategy.client_weighting: expected uniform where clients have some of the objectives and different numbers of samples, found "
           "samples, with {} of client {} and {} of client {}",
           samples, own.front(), found, client);
  }
}

void check_aggregation(const Aggregation& aggregation, std::int64_t cohort_size, const Workload& workload) {
  expect(cohort_size >= static_cast<std::int64_t>(aggregation.fewest()),
         "strategy.aggregator: expected a cohort of at least {} clients with its options, found {}", aggregation.fewest(), cohort_size);
  if (!aggregation.is_mean()) check_all_objectives("strategy.aggregator other than the mean", workload);
}

void expect_holders(const Round& round, const Cohort& answered, const Workload& workload) {
  if (workload.has_all_objectives()) return;
  for (std::size_t k = 0; k < workload.num_objectives(); ++k) {
    const bool held =
        std::any_of(answered.clients.begin(), answered.clients.end(), [&](int client) { return workload.has_objective(client, k); });
    if (!held) {
      throw RoundAbandoned(
          fmt::format("round {}: expected a client with the objective {} among those who answered, found none; larger cohorts help",
                      round.number(), workload.objective_names()[k]));
    }
  }
}

std::vector<std::size_t> held_objectives(const Cohort& answered, const Workload& workload) {
  std::vector<std::size_t> held;
  for (std::size_t k = 0; k < workload.num_objectives(); ++k) {
    const auto has = [&](int client) { return workload.has_objective(client, k); };
    if (std::any_of(answered.clients.begin(), answered.clients.end(), has)) held.push_back(k);
  }
  return held;
}

std::unique_ptr<WeightSolver> make_solver_for(const Workload& workload, const Component& component, std::span<const double> preference) {
  const std::size_t objectives = workload.num_objectives();
  std::unique_ptr<WeightSolver> solver = make_tried_solver(component, objectives, preference);
  expect(preference.empty() || solver->reads_preference(),
         "strategy.preference: expected none with the solver {}, which uses no preference, found one", component.name);
  if (workload.has_all_objectives()) return solver;
  for (std::size_t fewer = 1; fewer < objectives; ++fewer) {
    try {
      make_tried_solver(component, fewer, preference.first(preference.empty() ? 0 : fewer));
    } catch (const Error& error) {
      throw Error(
          fmt::format("strategy.solver: expected one for any number of objectives, since clients have some of them only, found {}, "
                      "which has for {} of {}: {}",
                      component.name, fewer, objectives, error.what()));
    }
  }
  return solver;
}

}  // namespace paretofl
