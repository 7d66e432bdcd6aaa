#pragma once

#include "paretofl/agents/dqn.h"
#include "paretofl/agents/dqn_update.h"
#include "paretofl/agents/target_networks.h"

namespace paretofl {

/// The action of the highest value at an observation, by the network that theta begins with.
class GreedyPolicy : public Policy {
 public:
  explicit GreedyPolicy(const DenseShape& shape) : network_(shape), input_(shape.inputs()) {}

  void act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) override;

 private:
  DenseNet network_;
  std::vector<float> input_;
};

/// Epsilon-greedy exploration, and deep Q-learning's gradient step; see Dqn. theta is the online network [d], and the
/// target network [d] after it where that is sent.
class DqnRule : public OffPolicyRule {
 public:
  DqnRule(const DqnOptions& options, double rate, const ActionSpace& actions, const DenseShape& shape);

  void start(std::span<const float> theta) override;
  void choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up, Random& explore,
              std::span<double> action, std::span<double> remembered) override;
  void after_step(std::span<float> theta, std::int64_t steps, bool ended) override;
  void update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) override;
  Record save() const override;
  void load(const Record& state) override;

  /// The chance of a random action after `steps` steps: from 1 linearly to exploration_final over
  /// exploration_fraction * total_steps, as Stable-Baselines3 schedules it.
  static double epsilon(const DqnOptions& options, std::int64_t steps);

 private:
  DqnOptions options_;
  ActionSpace actions_;
  GreedyPolicy policy_;
  DqnUpdate update_;
  TargetNetworks target_;
};

}  // namespace paretofl
