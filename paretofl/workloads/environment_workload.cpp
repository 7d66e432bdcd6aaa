#include "paretofl/workloads/environment_workload.h"

#include "paretofl/core/error.h"

namespace paretofl {

void EnvironmentWorkloadOptions::describe(OptionVisitor& visit) {
  visit.text("environment", environment, "id of the environment");
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  describe_client_preferences(visit, preferences);
  visit.component("agent", agent, agents(), "how the clients learn to act");
  visit.integer("evaluation_episodes", evaluation_episodes, 1, kMaxInt, "episodes that a model is evaluated on");
  visit.real("evaluation_discount", evaluation_discount, 0, 1,
             "below 1: discounted returns are recorded as well, with this factor per step, such as the agent's gamma");
}

EnvironmentWorkload::EnvironmentWorkload(const EnvironmentWorkloadOptions& options, std::uint64_t seed, std::optional<ProblemPart> part)
    : Workload(std::move(part)),
      options_(options),
      seed_(seed),
      spec_(make_environment(options.environment)->spec()),
      agent_(agents().at(options.agent.name).make(options.agent.settings, options.environment)),
      front_preferences_(agent_->front_preferences()),
      preferences_(options.preferences, spec_.objective_names.size(), static_cast<int>(options.clients), seed, this->part()) {
  expect(spec_.max_episode_steps > 0 || spec_.always_terminates,
         "workload.environment: expected one with a limit of steps per episode or with episodes that always terminate, found {}",
         options.environment);
}

Parameters EnvironmentWorkload::initial_parameters() const {
  return agent_->initial_parameters(Random({seed_, 0, kServerStream}, "initial parameters"));
}

std::unique_ptr<GradientOracle> EnvironmentWorkload::oracle(int) const {
  throw Error(
      fmt::format("workload: expected gradients of each objective, found the environment {}, which is learned under private "
                  "preferences",
                  spec_.id));
}

std::unique_ptr<Learner> EnvironmentWorkload::learner(int client, const LocalTrainingOptions& options) const {
  return agent_->learner(options, preference(client));
}

Preference EnvironmentWorkload::preference(int client) const {
  expect_client(client);
  return preferences_.of(client);
}

void EnvironmentWorkload::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  preferences_.write_part(client, folder);
}

std::map<std::string, std::vector<double>> EnvironmentWorkload::play(std::span<const float> theta, const Preference& preference,
                                                                     std::uint32_t stream) const {
  expect(theta.size() == layout()->size(), "workload: expected {} parameters, found {}", layout()->size(), theta.size());
  const auto environment = make_environment(options_.environment);
  const auto policy = agent_->policy(preference);
  std::vector<double> observation(spec_.observation.size());
  std::vector<double> action(spec_.action.size());
  std::vector<double> reward(spec_.objective_names.size());
  std::vector<double> returns(reward.size());
  std::vector<double> discounted(reward.size());
  for (std::int64_t episode = 0; episode < options_.evaluation_episodes; ++episode) {
    if (episode == 0) {
      environment->reset({.seed = seed_, .round = 0xffffffffU, .client = stream}, observation);
    } else {
      environment->reset(observation);
    }
    StepOutcome outcome;
    double weight = 1;
    while (!outcome.ended()) {
      policy->act(theta, observation, action);
      outcome = environment->step(action, observation, reward);
      for (std::size_t k = 0; k < reward.size(); ++k) {
        const double part = reward[k] / static_cast<double>(options_.evaluation_episodes);
        returns[k] += part;
        discounted[k] += weight * part;
      }
      weight *= options_.evaluation_discount;
    }
  }
  std::map<std::string, std::vector<double>> figures{{"return", std::move(returns)}};
  if (options_.evaluation_discount < 1) figures.emplace("discounted_return", std::move(discounted));
  return figures;
}

Evaluation EnvironmentWorkload::evaluation_of(std::span<const float> theta, const Preference& preference, std::uint32_t stream) const {
  Evaluation evaluation;
  evaluation.per_objective = play(theta, preference, stream);
  for (const auto& [name, returns] : evaluation.per_objective) evaluation.overall["scalarized_" + name] = preference.scalarize(returns);
  return evaluation;
}

Evaluation EnvironmentWorkload::evaluate(std::span<const float> theta, Split, ThreadPool& pool) const {
  const std::size_t objectives = spec_.objective_names.size();
  if (part() && part()->is_server()) {
    Evaluation evaluation;
    evaluation.per_objective = play(theta, uniform_preference(objectives), kServerStream);
    return evaluation;
  }
  if (part()) return evaluation_of(theta, preferences_.of(*part()->client), kServerStream);
  const std::size_t different = front_preferences_.empty() ? 1 : static_cast<std::size_t>(num_clients());
  std::vector<std::map<std::string, std::vector<double>>> played(different);
  pool.for_each(different, [&](std::size_t i) { played[i] = play(theta, preferences_.of(static_cast<int>(i)), kServerStream); });
  Evaluation mean;
  for (int i = 0; i < num_clients(); ++i) {
    for (const auto& [name, returns] : played[static_cast<std::size_t>(i) % different]) {
      mean.overall["scalarized_" + name] += preferences_.of(i).scalarize(returns) / num_clients();
    }
  }
  for (const auto& figures : played) {
    for (const auto& [name, returns] : figures) {
      std::vector<double>& means = mean.per_objective[name];
      means.resize(objectives);
      for (std::size_t k = 0; k < objectives; ++k) means[k] += returns[k] / static_cast<double>(different);
    }
  }
  return mean;
}

Evaluation EnvironmentWorkload::evaluate_at(std::span<const float> theta, const Preference& preference, Split, ThreadPool&) const {
  expect(!front_preferences_.empty(), "workload: expected an agent whose networks take a preference, found {}", options_.agent.name);
  return evaluation_of(theta, preference, kServerStream);
}

std::vector<Evaluation> EnvironmentWorkload::evaluate_clients(const ClientModels& models, Split, ThreadPool& pool) const {
  std::vector<Evaluation> evaluations(static_cast<std::size_t>(models.size()));
  pool.for_each(evaluations.size(), [&](std::size_t i) {
    const int client = static_cast<int>(i);
    const auto stream = static_cast<std::uint32_t>(i);
    if (part() && part()->is_server()) {
      evaluations[i].per_objective = play(models.of(client), uniform_preference(spec_.objective_names.size()), stream);
    } else {
      evaluations[i] = evaluation_of(models.of(client), preference(client), stream);
    }
  });
  return evaluations;
}

}  // namespace paretofl
