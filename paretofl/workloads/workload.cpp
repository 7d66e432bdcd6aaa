#include "paretofl/workloads/workload.h"

#include <algorithm>
#include <numeric>

#include <cassert>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/local/oracle_reward_steps.h"
#include "paretofl/local/oracle_steps.h"
#include "paretofl/local/partial_oracle.h"
#include "paretofl/local/sgd_learner.h"
#include "paretofl/objectives/shared_unit.h"

namespace paretofl {

bool Workload::shares_unit(const std::string& metric) const { return has_shared_unit(metric); }

std::vector<double> Workload::objective_factors(int) const { return {}; }

bool Workload::has_objective(int client, std::size_t objective) const {
  const std::vector<double> factors = objective_factors(client);
  return factors.empty() || factors.at(objective) != 0;
}

std::vector<std::size_t> Workload::held_objectives(int client) const {
  std::vector<std::size_t> held;
  for (std::size_t k = 0; k < num_objectives(); ++k) {
    if (has_objective(client, k)) held.push_back(k);
  }
  return held;
}

bool Workload::has_all_objectives() const {
  for (int client = 0; client < num_clients(); ++client) {
    const std::vector<double> factors = objective_factors(client);
    if (std::find(factors.begin(), factors.end(), 0.0) != factors.end()) return false;
  }
  return true;
}

std::unique_ptr<GradientOracle> Workload::own_oracle(int client) const {
  std::vector<double> inverses = objective_factors(client);
  if (inverses.empty()) return oracle(client);
  for (double& factor : inverses) factor = factor == 0 ? 0 : 1 / factor;
  return std::make_unique<PartialOracle>(oracle(client), std::move(inverses));
}

void Workload::expect_client(int client) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  expect(!part_ || part_->client == client, "workload: expected {}, whose data this process has, found client {}",
         part_ ? part_->owner() : "", client);
}

std::vector<int> Workload::own_clients() const {
  if (part_) return part_->client ? std::vector<int>{*part_->client} : std::vector<int>();
  std::vector<int> clients(static_cast<std::size_t>(num_clients()));
  std::iota(clients.begin(), clients.end(), 0);
  return clients;
}

nlohmann::json Workload::facts() const { return nlohmann::json::object(); }

nlohmann::json Workload::statistics() const { return nlohmann::json::object(); }

void Workload::write_part(std::optional<int>, const std::filesystem::path&) const {
  throw Error("workload: expected one whose data can be split into folders of the parties, found one that can't be");
}

Evaluation Workload::evaluate_at(std::span<const float>, const Preference& preference, Split, ThreadPool&) const {
  throw Error(fmt::format("workload: expected models that take a preference as an input, found a preference of {} numbers and none such",
                          preference.size()));
}

Preference Workload::preference(int client) const {
  expect_client(client);
  const auto shared = shared_preference(client);
  assert(shared.has_value());
  return shared->over_held(objective_factors(client));
}

std::optional<Preference> Workload::shared_preference(int) const { return uniform_preference(num_objectives()); }

std::unique_ptr<Learner> Workload::learner(int client, const LocalTrainingOptions& options) const {
  return std::make_unique<SgdLearner>(options, oracle(client), preference(client), objective_factors(client));
}

std::unique_ptr<ObjectiveSteps> Workload::objective_steps(int client, const LocalTrainingOptions&) const {
  return std::make_unique<OracleSteps>(oracle(client));
}

std::unique_ptr<RewardSteps> Workload::reward_steps(int client) const {
  return std::make_unique<OracleRewardSteps>(own_oracle(client), objective_names(), held_objectives(client));
}

void Workload::write_model(std::span<const float>, const std::filesystem::path&) const {}

Evaluation Workload::evaluate_client(int, std::span<const float> theta, Split split, ThreadPool& pool) const {
  return evaluate(theta, split, pool);
}

std::vector<Evaluation> Workload::evaluate_clients(const ClientModels& models, Split split, ThreadPool& pool) const {
  std::vector<Evaluation> evaluations;
  for (int i = 0; i < models.size(); ++i) {
    Evaluation& evaluation = evaluations.emplace_back(evaluate_client(i, models.of(i), split, pool));
    const auto preferred = part_ && part_->is_server() ? shared_preference(i) : preference(i);
    if (!preferred) continue;
    evaluation.overall["scalarized_" + preferred_metric()] = preferred->scalarize(evaluation.per_objective.at(preferred_metric()));
  }
  return evaluations;
}

std::string Workload::take_completions(std::uint32_t) const { return {}; }

HeldOutFigures Workload::evaluate_held_out(int client, std::span<const float>, ThreadPool&) const {
  expect_client(client);
  return {};
}

}  // namespace paretofl
