#pragma once

#include <array>
#include <vector>

#include "paretofl/agents/replay_buffer.h"
#include "paretofl/local/adam.h"
#include "paretofl/local/proximal_term.h"
#include "paretofl/models/dense_net.h"

namespace paretofl {

/// The networks of concave-augmented Pareto Q-learning in one flat buffer: two critics, then the actor.
struct CapqlShape {
  DenseShape critic;  ///< observation, action and preference [D + A + M] -> the value of each objective [M]
  DenseShape actor;   ///< observation and preference [D + M] -> means and logarithms of deviations [2 A] (squashed_normal.h)

  std::size_t objectives() const { return critic.outputs(); }                    ///< M
  std::size_t actions() const { return actor.outputs() / 2; }                    ///< A
  std::size_t observations() const { return actor.inputs() - objectives(); }     ///< D
  std::size_t critic_parameters() const { return 2 * critic.num_parameters(); }  ///< of both critics
  std::size_t num_parameters() const { return critic_parameters() + actor.num_parameters(); }
  template <class T>
  std::span<T> critic_of(std::span<T> critics, std::size_t j) const {
    return critics.subspan(j * critic.num_parameters(), critic.num_parameters());
  }
  template <class T>
  std::span<T> actor_of(std::span<T> theta) const {
    return theta.subspan(critic_parameters(), actor.num_parameters());
  }
};

/// What one gradient step draws for a minibatch of n transitions.
struct CapqlDraws {
  std::vector<float> preferences;  ///< [n, M], of each transition
  std::vector<float> next_noise;   ///< [n, A], standard normal, for actions after the transitions
  std::vector<float> noise;        ///< [n, A], for actions before them
};

/// What one gradient step measured before it changed anything that the figure depends on.
struct CapqlLosses {
  double critic = 0;  ///< mean squared error of the values
  double actor = 0;   ///< with the new critics
};

/// One gradient step of concave-augmented Pareto Q-learning (Lu, Herman and Yu 2023). The critics' loss is the mean over both critics, the
/// transitions and the objectives of (Q_j(s, a, w) - y)^2, with y = r + gamma (min_j Q_target_j(s', a', w) - alpha log pi(a' | s', w)) and
/// a' drawn from the actor; the minimum is taken for each objective, and the bootstrap is left out where the episode terminated. The
/// actor's loss is the mean over the transitions of alpha log pi(a | s, w) - w . min_j Q_j(s, a, w), with a drawn from the actor and the
/// new critics. Adam takes both steps, and then the target critics move by tau towards the critics. Densities are those of actions in [-1,
/// 1]; in the environment's units, as in MORL-Baselines, the entropy would differ by a constant.
class CapqlUpdate {
 public:
  struct Options {
    double gamma = 0.99;
    double tau = 0.005;
    double alpha = 0.2;
    double rate = 3e-4;
  };

  CapqlUpdate(const CapqlShape& shape, Options options);

  /// Changes theta [d] and the target critics [2 d_Q], d_Q parameters each; rewards of the batch are [n, M]. Throws Error where a loss is
  /// not finite, before the network with that loss has changed.
  CapqlLosses step(std::span<float> theta, std::span<float> targets, const TransitionBatch& batch, const CapqlDraws& draws,
                   const ProximalTerm& proximal);

  /// Forgets the moments.
  void reset();

  /// The moments of both optimizers.
  Record save() const;
  /// Throws Error on moments of other sizes.
  void load(const Record& state);

 private:
  double step_critics(std::span<float> theta, std::span<const float> targets, const TransitionBatch& batch, const CapqlDraws& draws,
                      const ProximalTerm& proximal);
  double step_actor(std::span<float> theta, const TransitionBatch& batch, const CapqlDraws& draws, const ProximalTerm& proximal);
  /// The actions of the actor in actions_ [n, A] and their log-densities in densities_ [n]; actor_outputs_ [n, 2 A] holds what it says.
  void draw_actions(std::span<const float> theta, std::span<const float> observations, std::span<const float> preferences,
                    std::span<const float> noise, std::size_t n);
  /// The values of both critics [n, M] each, of parameters [2 d_Q].
  std::array<std::span<const float>, 2> value(std::span<const float> critics, std::span<const float> observations,
                                              std::span<const float> actions, std::span<const float> preferences, std::size_t n);

  CapqlShape shape_;
  Options options_;
  DenseNet actor_;
  std::array<DenseNet, 2> critics_;
  Adam critic_adam_;
  Adam actor_adam_;
  std::vector<float> inputs_;           // of the network that is asked
  std::vector<float> actor_outputs_;    // [n, 2 A]
  std::vector<float> actions_;          // [n, A]
  std::vector<float> densities_;        // [n]
  std::vector<float> targets_;          // [n, M]
  std::vector<float> output_gradient_;  // of the network that takes its step
  std::vector<float> input_gradient_;   // [n, D + A + M]
  std::vector<float> action_gradient_;  // [n, A]
  std::vector<float> gradient_;         // of the networks that take their step
};

}  // namespace paretofl
