#pragma once

#include "paretofl/tabular/tabular_model.h"

namespace paretofl {

/// One step of a chain of states.
struct StateTransition {
  std::size_t state;
  std::size_t action;
  std::size_t next;
};

/// Draws transitions under a policy [S, A]. Policy and model must outlive the source. Without a distribution, the transitions
/// follow one chain from `state`, which starts anew with probability `restart` after each step. With a distribution over
/// states [S], each transition begins at a state drawn from it.
class TransitionSource {
 public:
  TransitionSource(const TabularModel& model, std::span<const double> policy, std::size_t state, double restart,
                   std::vector<double> distribution = {})
      : model_(model), policy_(policy), state_(state), restart_(restart), distribution_(std::move(distribution)) {}

  StateTransition draw(Random& random);
  std::size_t state() const { return state_; }  ///< where the chain stands

 private:
  const TabularModel& model_;
  std::span<const double> policy_;
  std::size_t state_;
  double restart_;
  std::vector<double> distribution_;
};

/// Eq. 10 of FIRM with the sign of a loss, -1/B sum_l delta^j_l psi_l, over `batch` transitions: the jacobian [M, S, A] by
/// theta of the softmax policy `policy` [S, A], for values [S, M] in the TD errors delta. Losses [M]: minus the mean reward.
void td_policy_gradient(const TabularModel& model, std::span<const double> policy, std::span<const double> values, std::int64_t batch,
                        TransitionSource& source, Random& random, std::span<double> losses, std::span<float> jacobian);

}  // namespace paretofl
