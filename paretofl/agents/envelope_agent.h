#pragma once

#include "paretofl/agents/agent.h"
#include "paretofl/agents/dqn.h"

namespace paretofl {

struct EnvelopeOptions {
  DqnOptions dqn;
  std::int64_t preferences_per_update = 4;  ///< drawn at each gradient step
  double homotopy_final = 1;                ///< share of the scalarized loss at the end
  std::string acting = "drawn";             ///< or "own": the preference that a client acts under
  std::int64_t front_preferences = 5;       ///< at which the run evaluates a shared model

  void describe(OptionVisitor& visit);
};

/// Envelope Q-learning (Yang, Sun and Narasimhan 2019, "A generalized algorithm for multi-objective reinforcement learning and policy
/// adaptation", Algorithm 1): one network Q(s, a, w) in R^M for all preferences w, which is its input beside the observation. So one run
/// trains the policies of a whole Pareto front, and a preference chooses among them afterwards without training. Exploration, buffer,
/// target network, what is sent and what stays are those of Dqn; the buffer keeps the reward of every objective.
///
/// A client acts under preferences that it draws uniformly from the simplex, one for each episode, or under its own (acting = "own"), and
/// learns for `preferences_per_update` drawn ones at each gradient step (envelope_update.h). Its own preference decides nothing else, so
/// that clients with different preferences can share one model. The share of the scalarized loss grows linearly, from 0 to
/// homotopy_final over dqn.total_steps; the paper's lambda grows as well, in the authors' code exponentially.
class EnvelopeAgent : public Agent {
 public:
  /// Throws Error unless the environment's actions are discrete.
  EnvelopeAgent(EnvelopeOptions options, std::string environment);

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters(const Random& random) const override { return options_.dqn.base.drawn(layout_, random); }
  std::unique_ptr<Policy> policy(const Preference& preference) const override;
  std::vector<Preference> front_preferences() const override;
  /// From "observation" [N, D] and "preference" [N, M] to "values" [N, A], each action's Q(s, a, w) weighed by w, and "action".
  std::optional<NetworkGraph> network() const override;
  std::int64_t first_learning_step() const override { return options_.dqn.base.first_learning_step(); }
  std::unique_ptr<Learner> learner(const LocalTrainingOptions& options, const Preference& preference) const override;

 private:
  EnvelopeOptions options_;
  std::string environment_;
  ActionSpace actions_;
  std::size_t objectives_;
  DenseShape shape_;  ///< from an observation and a preference to A x M values
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
