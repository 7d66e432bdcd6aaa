#pragma once

#include "paretofl/agents/agent.h"
#include "paretofl/workloads/client_preferences.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

struct EnvironmentWorkloadOptions {
  std::string environment;  ///< its id
  std::int64_t clients = 20;
  Component preferences{"dirichlet", {}};
  Component agent{"dqn", {}};
  std::int64_t evaluation_episodes = 1;
  double evaluation_discount = 1;  ///< per step; below 1, figures of the discounted returns are there as well

  void describe(OptionVisitor& visit);
};

/// Multi-objective reinforcement learning under private preferences (FedPref, Section 3.1): all clients act in copies of
/// one environment; each has its own preference over the returns. A model is the online networks of an agent. Has learners
/// but no gradients of single objectives. Evaluation plays whole episodes without exploration, the same ones every time.
class EnvironmentWorkload : public Workload {
 public:
  /// With a client's part, the client's preference comes from the folder.
  EnvironmentWorkload(const EnvironmentWorkloadOptions& options, std::uint64_t seed, std::optional<ProblemPart> part = {});

  int num_clients() const override { return static_cast<int>(options_.clients); }
  const std::vector<std::string>& objective_names() const override { return spec_.objective_names; }
  const std::shared_ptr<const Layout>& layout() const override { return agent_->layout(); }
  Parameters initial_parameters() const override;
  bool has_gradients() const override { return false; }
  bool seed_changes_problem() const override { return false; }
  std::vector<Preference> front_preferences() const override { return front_preferences_; }
  /// Throws Error: there are none.
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  Preference preference(int client) const override;
  std::optional<Preference> shared_preference(int) const override { return std::nullopt; }
  /// preference.json; nothing for the server.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  std::unique_ptr<Learner> learner(int client, const LocalTrainingOptions& options) const override;
  std::int64_t first_learning_step() const override { return agent_->first_learning_step(); }
  bool has_split(Split split) const override { return split == Split::kTest; }
  /// "return": mean undiscounted return per objective [M] over the episodes; overall "scalarized_return": its mean over
  /// the clients' preferences, in a client's part under its own; the server's part does not know them and has no such figure. Where
  /// evaluation_discount is below 1 also "discounted_return" and "scalarized_discounted_return", of sum_t discount^t r_t.
  /// A model that takes a preference as an input acts under each client's own, and the figures are means over the clients; the server's
  /// part has it act under the uniform one.
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// In the episodes of evaluate, with "scalarized_return" under that preference.
  Evaluation evaluate_at(std::span<const float> theta, const Preference& preference, Split split, ThreadPool& pool) const override;
  /// Likewise of every client's own model in its own episodes, under its own preference.
  std::vector<Evaluation> evaluate_clients(const ClientModels& models, Split split, ThreadPool& pool) const override;
  std::optional<NetworkGraph> network() const override { return agent_->network(); }

 private:
  /// The per-objective figures under a preference of the episodes that the stream begins.
  std::map<std::string, std::vector<double>> play(std::span<const float> theta, const Preference& preference, std::uint32_t stream) const;
  /// The same with the scalarized figures under that preference.
  Evaluation evaluation_of(std::span<const float> theta, const Preference& preference, std::uint32_t stream) const;

  EnvironmentWorkloadOptions options_;
  std::uint64_t seed_;
  EnvironmentSpec spec_;
  std::unique_ptr<Agent> agent_;
  std::vector<Preference> front_preferences_;  ///< the agent's; empty where its networks take no preference
  ClientPreferences preferences_;
};

}  // namespace paretofl
