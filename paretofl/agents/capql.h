#pragma once

#include "paretofl/agents/agent.h"
#include "paretofl/agents/capql_update.h"
#include "paretofl/agents/off_policy_learner.h"

namespace paretofl {

struct CapqlOptions {
  OffPolicyOptions base{.batch_size = 128, .learning_starts = 1000, .hidden = {256, 256}};
  double tau = 0.005;
  double alpha = 0.2;
  std::string acting = "drawn";        ///< or "own": the preference that a client acts under
  std::int64_t front_preferences = 5;  ///< at which the run evaluates a shared model

  void describe(OptionVisitor& visit);
};

/// Concave-augmented Pareto Q-learning (Lu, Herman and Yu 2023, "Multi-objective reinforcement learning: convexity, stationarity and Pareto
/// optimality"): soft actor-critic for every preference w at once. The actor draws actions from a squashed normal distribution
/// pi(a | s, w), and two critics value them for each objective, Q(s, a, w) in R^M; w is an input of each. A concave function of the policy,
/// here its entropy, is added to the reward of every objective, by which each weighted sum has one best policy, and weighted sums reach all
/// of the front. So one run trains the policies of a whole Pareto front, and a preference chooses among them afterwards without training.
///
/// A client acts by drawn actions under preferences that it draws uniformly from the simplex, one for each episode, or under its own
/// (acting = "own"). Its own preference decides nothing else: each transition of a minibatch is learned for a preference drawn anew.
/// (MORL-Baselines acts by the mean, draws preferences around (1, .., 1), one for each step, and learns for that of the step.) A trained
/// model acts by tanh of the normal distribution's mean, without noise. What clients send and what is averaged are
/// critics and actor, with `send_target` the critics' targets too; Adam's moments, the replay buffer, which keeps the reward of every
/// objective, the count of steps and the environment's state stay with the client.
class Capql : public Agent {
 public:
  /// Throws Error unless the environment's actions are real numbers between finite bounds.
  Capql(CapqlOptions options, std::string environment);

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters(const Random& random) const override { return options_.base.drawn(layout_, random); }
  std::unique_ptr<Policy> policy(const Preference& preference) const override;
  std::vector<Preference> front_preferences() const override;
  /// From "observation" [N, D] and "preference" [N, M] to "action" [N, A].
  std::optional<NetworkGraph> network() const override;
  std::int64_t first_learning_step() const override { return options_.base.first_learning_step(); }
  std::unique_ptr<Learner> learner(const LocalTrainingOptions& options, const Preference& preference) const override;

 private:
  CapqlOptions options_;
  std::string environment_;
  ActionSpace actions_;
  std::size_t objectives_;
  CapqlShape shape_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
