#pragma once

#include "paretofl/agents/agent.h"
#include "paretofl/agents/ddpg_update.h"
#include "paretofl/agents/off_policy_learner.h"

namespace paretofl {

struct DdpgOptions {
  OffPolicyOptions base{.batch_size = 100, .hidden = {400, 300}};
  double tau = 0.005;
  double noise = 0;

  void describe(OptionVisitor& visit);
};

/// Deep deterministic policy gradients (Lillicrap et al. 2016, Algorithm 1) with the defaults and the order of steps of
/// Stable-Baselines3 2.2.1, but for the learning rate, which is the strategy's, trained after every step: ReLU networks, a tanh actor whose
/// actions in [-1, 1] are stretched to the environment's bounds, a critic of observation and action, uniform replay, Gaussian noise on the
/// actions, which are remembered with it. What clients send and what is averaged are actor and critic, or with `send_target` their target
/// networks too, which follow them by their own rule (tau). Those that aren't sent stay with the client, like the replay
/// buffer, Adam's moments, the count of steps and the environment's state.
class Ddpg : public Agent {
 public:
  /// Throws Error unless the environment's actions are real numbers between finite bounds.
  Ddpg(DdpgOptions options, std::string environment);

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters(const Random& random) const override { return options_.base.drawn(layout_, random); }
  std::unique_ptr<Policy> policy(const Preference& preference) const override;
  std::optional<NetworkGraph> network() const override;
  std::int64_t first_learning_step() const override { return options_.base.first_learning_step(); }
  std::unique_ptr<Learner> learner(const LocalTrainingOptions& options, const Preference& preference) const override;

 private:
  DdpgOptions options_;
  std::string environment_;
  ActionSpace actions_;
  ActorCriticShape shape_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
