#pragma once

#include "paretofl/agents/agent.h"
#include "paretofl/agents/off_policy_learner.h"
#include "paretofl/models/dense_net.h"

namespace paretofl {

struct DqnOptions {
  OffPolicyOptions base{.train_freq = 4};
  std::int64_t target_update_interval = 10'000;
  std::int64_t total_steps = 100'000;
  double exploration_fraction = 0.1;
  double exploration_final = 0.05;
  double max_gradient_norm = 10;

  void describe(OptionVisitor& visit);
};

/// Deep Q-learning (Mnih et al. 2015, Algorithm 1) with the defaults and the order of steps of Stable-Baselines3 2.2.1
/// (but for learning_starts, 100 as from 2.3 on and not 50,000, and for the learning rate, which is the strategy's): a ReLU network from
/// the raw observation to one value per action, uniform replay, hard target updates, epsilon-greedy exploration. What clients send and what
/// is averaged is the online network alone, or with `send_target` both networks, as where the library's whole policy is averaged. The
/// target network is copied from the online one every target_update_interval steps of the client, whatever was received in between. If it
/// isn't sent, it stays with the client, as do the replay buffer, Adam's moments, the count of steps (and with it exploration) and the
/// environment's state.
class Dqn : public Agent {
 public:
  /// Throws Error unless the environment's actions are discrete.
  Dqn(DqnOptions options, std::string environment);

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters(const Random& random) const override { return options_.base.drawn(layout_, random); }
  std::unique_ptr<Policy> policy(const Preference& preference) const override;
  std::optional<NetworkGraph> network() const override;
  std::int64_t first_learning_step() const override { return options_.base.first_learning_step(); }
  std::unique_ptr<Learner> learner(const LocalTrainingOptions& options, const Preference& preference) const override;

 private:
  DqnOptions options_;
  std::string environment_;
  ActionSpace actions_;
  DenseShape shape_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
