#pragma once

#include <set>

#include "paretofl/workloads/workload.h"

namespace paretofl {

/// A workload some of whose clients are hostile: they negate the losses and the gradients of one objective, so that they train it upwards.
/// All else is the other workload's, the evaluation too.
class PoisonedWorkload : public Workload {
 public:
  /// `honest` must outlive the object. Throws Error unless it has gradients of each objective, or local steps on them, and this objective.
  PoisonedWorkload(const Workload& honest, std::set<int> hostile, std::int64_t objective);

  int num_clients() const override { return honest_.num_clients(); }
  const std::vector<std::string>& objective_names() const override { return honest_.objective_names(); }
  const std::shared_ptr<const Layout>& layout() const override { return honest_.layout(); }
  Parameters initial_parameters() const override { return honest_.initial_parameters(); }

  bool has_gradients() const override { return honest_.has_gradients(); }
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return honest_.has_local_losses(); }
  std::vector<double> objective_factors(int client) const override { return honest_.objective_factors(client); }
  bool has_objective_steps() const override { return honest_.has_objective_steps(); }
  std::unique_ptr<ObjectiveSteps> objective_steps(int client, const LocalTrainingOptions& options) const override;
  bool has_reward_steps() const override { return honest_.has_reward_steps(); }
  std::unique_ptr<RewardSteps> reward_steps(int client) const override;
  Preference preference(int client) const override { return honest_.preference(client); }
  std::optional<Preference> shared_preference(int client) const override { return honest_.shared_preference(client); }
  std::unique_ptr<Learner> learner(int client, const LocalTrainingOptions& options) const override;

  bool has_split(Split split) const override { return honest_.has_split(split); }
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override {
    return honest_.evaluate(theta, split, pool);
  }

 private:
  const Workload& honest_;
  std::set<int> hostile_;
  std::size_t objective_;
};

}  // namespace paretofl
