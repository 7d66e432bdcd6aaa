#pragma once

#include <vector>

#include "paretofl/agents/replay_buffer.h"
#include "paretofl/local/adam.h"
#include "paretofl/local/proximal_term.h"
#include "paretofl/models/dense_net.h"

namespace paretofl {

/// The two networks of deep deterministic policy gradients in one flat buffer: the actor, then the critic.
struct ActorCriticShape {
  DenseShape actor;   ///< observation [D] -> action [A] in [-1, 1], by tanh
  DenseShape critic;  ///< observation and action [D + A] -> one value

  std::size_t num_parameters() const { return actor.num_parameters() + critic.num_parameters(); }
  template <class T>
  std::span<T> actor_of(std::span<T> theta) const {
    return theta.first(actor.num_parameters());
  }
  template <class T>
  std::span<T> critic_of(std::span<T> theta) const {
    return theta.subspan(actor.num_parameters());
  }
};

/// What one gradient step measured before it changed anything that the figure depends on.
struct DdpgLosses {
  double critic = 0;  ///< mean squared error of Q(s, a)
  double actor = 0;   ///< minus the mean of Q(s, actor(s)), with the new critic
};

/// One gradient step of deep deterministic policy gradients (Lillicrap et al. 2016, Algorithm 1), as Stable-Baselines3
/// takes it: Adam on the critic's mean squared error from r + gamma Q_target(s', actor_target(s')), then Adam on the
/// actor's loss -mean Q(s, actor(s)), then both targets move by tau towards the networks. Nothing is clipped.
class DdpgUpdate {
 public:
  struct Options {
    double gamma = 0.99;
    double tau = 0.005;
    double rate = 1e-3;
  };

  DdpgUpdate(const ActorCriticShape& shape, Options options);

  /// Changes theta [d] and the targets [d], each the actor and the critic.
  DdpgLosses step(std::span<float> theta, std::span<float> targets, const TransitionBatch& batch, const ProximalTerm& proximal);

  /// Forgets the moments.
  void reset();

  Record save() const;
  void load(const Record& state);

 private:
  double step_critic(std::span<float> theta, std::span<const float> targets, const TransitionBatch& batch, const ProximalTerm& proximal);
  double step_actor(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal);
  /// Rows [n, D + A] of observations and actions side by side.
  std::span<const float> side_by_side(std::span<const float> observations, std::span<const float> actions, std::size_t n);

  ActorCriticShape shape_;
  Options options_;
  DenseNet actor_;
  DenseNet critic_;
  Adam actor_adam_;
  Adam critic_adam_;
  std::vector<float> inputs_;           // [n, D + A]
  std::vector<float> input_gradient_;   // [n, D + A]
  std::vector<float> output_gradient_;  // [n, 1], or [n, A]
  std::vector<float> targets_;          // [n]
  std::vector<float> gradient_;         // of the network that takes its step
};

}  // namespace paretofl
