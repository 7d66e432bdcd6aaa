#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {

/// A Markov decision process with finitely many states and actions and a reward per objective, known exactly: S states, A
/// actions, M objectives. Episodes start in a uniformly drawn state. Policies are tables [S, A], of doubles. Immutable.
class TabularModel {
 public:
  /// Transition probabilities [S, A, S] and rewards [S, A, M], row-major; discount in [0, 1).
  /// Throws Error for other sizes, and unless all are finite, probabilities in [0, 1], and those of a state and an action sum to 1 within
  /// 1e-9.
  TabularModel(std::size_t states, std::size_t actions, double discount, std::vector<double> transitions, std::vector<double> rewards);

  std::size_t states() const { return states_; }
  std::size_t actions() const { return actions_; }
  std::size_t objectives() const { return rewards_.size() / (states_ * actions_); }
  double discount() const { return discount_; }
  std::span<const double> transitions() const { return transitions_; }
  std::span<const double> rewards() const { return rewards_; }
  double reward(std::size_t state, std::size_t action, std::size_t objective) const {
    return rewards_[(state * actions_ + action) * objectives() + objective];
  }

  /// The softmax policy pi(a | s) ~ exp(theta[s, a]) [S, A].
  std::vector<double> softmax_policy(std::span<const float> theta) const;

  std::size_t draw_start(Random& random) const { return random.below(states_); }
  std::size_t draw_action(std::span<const double> policy, std::size_t state, Random& random) const;
  std::size_t draw_next(std::size_t state, std::size_t action, Random& random) const;

  /// Values V [S, M]: expected discounted sums of rewards, (I - gamma P_pi)^-1 r_pi.
  std::vector<double> values(std::span<const double> policy) const;
  /// Where the process is in the long run [S]: d P_pi = d. The process must be ergodic.
  std::vector<double> stationary(std::span<const double> policy) const;
  /// Discounted visitation [S]: nu = (1 - gamma) xi (I - gamma P_pi)^-1, xi uniform.
  std::vector<double> visitation(std::span<const double> policy) const;

  /// Returns J [M], the mean discounted reward per step (1 - gamma) E sum_{t >= 0} gamma^t r_t = (1 - gamma) xi V.
  std::vector<double> returns(std::span<const double> policy) const;
  /// Gradients of J by theta of the softmax policy, [M, S, A] row-major (Sutton et al. 1999):
  /// dJ / dtheta[s, a] = nu(s) pi(a | s) (Q(s, a) - V(s)).
  std::vector<double> return_gradients(std::span<const double> policy) const;

 private:
  std::vector<double> transitions_of(std::span<const double> policy) const;  ///< P_pi [S, S]

  std::size_t states_;
  std::size_t actions_;
  double discount_;
  std::vector<double> transitions_;
  std::vector<double> rewards_;
};

/// An index drawn with the given probabilities; they need not sum to one exactly.
std::size_t draw_index(std::span<const double> probabilities, Random& random);

}  // namespace paretofl
