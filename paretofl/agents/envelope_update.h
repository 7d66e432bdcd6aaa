#pragma once

#include <vector>

#include "paretofl/agents/distinct_rows.h"
#include "paretofl/agents/replay_buffer.h"
#include "paretofl/local/adam.h"
#include "paretofl/local/proximal_term.h"
#include "paretofl/models/dense_net.h"

namespace paretofl {

/// One gradient step of envelope Q-learning (Yang, Sun and Narasimhan 2019, Algorithm 1). For every transition of
/// the minibatch and every preference w of a set W, the target is y = r + gamma Q_target(s', b, v), where the action b and the preference
/// v of W are those of the largest w . Q_target(s', b, v): the envelope, by which what is learned for one preference serves others. The
/// bootstrap is left out where the episode terminated. The loss is the mean over transitions and preferences of
/// (1 - lambda) |y - Q(s, a, w)|^2 + lambda |w . y - w . Q(s, a, w)|, with lambda the homotopy; its gradient, with the proximal term's, is
/// scaled down to a norm of at most `max_norm`, and Adam takes the step. As in DQN the target network both chooses and values.
class EnvelopeUpdate {
 public:
  struct Options {
    double gamma = 0.99;
    double max_norm = 10;
    double rate = 1e-4;
  };

  /// For a network from an observation and a preference over M objectives to A x M values, those of an action side by side.
  EnvelopeUpdate(const DenseShape& shape, std::size_t objectives, Options options);

  /// Changes theta [d]; `preferences` [W, M], `homotopy` from 0 to 1. Returns the loss before the step, and throws Error where it is not
  /// finite.
  double step(std::span<float> theta, std::span<const float> target, const TransitionBatch& batch, std::span<const float> preferences,
              double homotopy, const ProximalTerm& proximal);

  /// Forgets the moments.
  void reset() { adam_.reset(); }

  Record save() const { return adam_.save(); }
  void load(const Record& state) { adam_.load(state); }

 private:
  /// Every observation [n, D] beside every preference, [n * W, D + M].
  void pair(std::span<const float> observations, std::span<const float> preferences);
  /// The targets y [n * W, M].
  void find_targets(std::span<const float> target, const TransitionBatch& batch, std::span<const float> preferences);

  Options options_;
  std::size_t objectives_;
  DenseNet network_;
  Adam adam_;
  DistinctRows distinct_;
  std::vector<float> pairs_;            // [n * W, D + M]
  std::vector<float> targets_;          // [n * W, M]
  std::vector<float> output_gradient_;  // [distinct pairs, A * M]
  std::vector<float> gradient_;         // [d]
};

}  // namespace paretofl
