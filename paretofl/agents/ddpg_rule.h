#pragma once

#include "paretofl/agents/ddpg.h"
#include "paretofl/agents/target_networks.h"

namespace paretofl {

/// The actor's action, stretched from [-1, 1] to the environment's bounds.
class ActorPolicy : public Policy {
 public:
  ActorPolicy(const ActorCriticShape& shape, const ActionSpace& actions)
      : shape_(shape), actions_(actions), network_(shape.actor), input_(shape.actor.inputs()) {}

  void act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) override;

  /// In [-1, 1] [A]; valid until the next call.
  std::span<const float> scaled_action(std::span<const float> theta, std::span<const double> observation);

 private:
  ActorCriticShape shape_;
  ActionSpace actions_;
  DenseNet network_;
  std::vector<float> input_;
};

/// Gaussian noise on the actor's actions, and the gradient step of deep deterministic policy gradients; see Ddpg. The noise
/// comes on the warm-up's uniform actions too, as in Stable-Baselines3.
class DdpgRule : public OffPolicyRule {
 public:
  DdpgRule(const DdpgOptions& options, double rate, const ActionSpace& actions, const ActorCriticShape& shape);

  void start(std::span<const float> theta) override;
  void choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up, Random& explore,
              std::span<double> action, std::span<double> remembered) override;
  void update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) override;
  Record save() const override;
  void load(const Record& state) override;

 private:
  double noise_;
  ActionSpace actions_;
  ActorPolicy policy_;
  DdpgUpdate update_;
  TargetNetworks targets_;
};

}  // namespace paretofl
