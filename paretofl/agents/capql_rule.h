#pragma once

#include "paretofl/agents/capql.h"
#include "paretofl/agents/capql_update.h"
#include "paretofl/agents/episode_preference.h"
#include "paretofl/agents/target_networks.h"

namespace paretofl {

/// tanh of the mean of the actor's normal distribution under a preference, stretched from [-1, 1] to the environment's bounds.
class CapqlPolicy : public Policy {
 public:
  CapqlPolicy(const CapqlShape& shape, const ActionSpace& actions, const Preference& preference);

  void act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) override;

  /// What the actor says of an observation [2 A] (squashed_normal.h); valid until the next call.
  std::span<const float> outputs(std::span<const float> theta, std::span<const double> observation);
  /// w from now on [M].
  void set_preference(std::span<const float> preference);

 private:
  CapqlShape shape_;
  ActionSpace actions_;
  DenseNet actor_;
  std::vector<float> input_;  // an observation and the preference
};

/// Drawn actions under one preference for each episode, and the gradient step of concave-augmented Pareto Q-learning; see Capql. theta is
/// the critics and the actor [d], and the target critics after them where those are sent.
class CapqlRule : public OffPolicyRule {
 public:
  CapqlRule(const CapqlOptions& options, double rate, const ActionSpace& actions, const CapqlShape& shape, const Preference& preference);

  KeptReward kept_reward() const override { return KeptReward::kOfEachObjective; }
  void start(std::span<const float> theta) override;
  void choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up, Random& explore,
              std::span<double> action, std::span<double> remembered) override;
  void after_step(std::span<float> theta, std::int64_t steps, bool ended) override;
  void update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) override;
  Record save() const override;
  void load(const Record& state) override;

 private:
  CapqlShape shape_;
  ActionSpace actions_;
  CapqlPolicy policy_;
  CapqlUpdate update_;
  TargetNetworks targets_;
  EpisodePreference acting_;
  CapqlDraws draws_;  // of a gradient step
};

}  // namespace paretofl
