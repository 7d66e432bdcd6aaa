#pragma once

#include <vector>

#include "paretofl/agents/distinct_rows.h"
#include "paretofl/agents/replay_buffer.h"
#include "paretofl/local/adam.h"
#include "paretofl/local/proximal_term.h"
#include "paretofl/models/dense_net.h"

namespace paretofl {

/// One gradient step of deep Q-learning (Mnih et al. 2015, Algorithm 1), as Stable-Baselines3 takes it: the mean over the
/// minibatch of the smooth L1 loss (beta 1) between Q(s, a) and r + gamma max_b Q_target(s', b), the bootstrap left out
/// where the episode terminated; the gradient, with the proximal term's, scaled down to a norm of at most `max_norm`; a
/// step of Adam. Rows that occur again are computed once.
class DqnUpdate {
 public:
  struct Options {
    double gamma = 0.99;
    double max_norm = 10;
    double rate = 1e-4;
  };

  /// For a network from observations to one value per action.
  DqnUpdate(const DenseShape& shape, Options options);

  /// Changes theta [d]; returns the loss before the step.
  double step(std::span<float> theta, std::span<const float> target, const TransitionBatch& batch, const ProximalTerm& proximal);

  /// Forgets the moments.
  void reset() { adam_.reset(); }

  Record save() const { return adam_.save(); }
  void load(const Record& state) { adam_.load(state); }

 private:
  Options options_;
  DenseNet network_;
  Adam adam_;
  DistinctRows distinct_;
  std::vector<float> targets_;          // [n]
  std::vector<float> best_;             // [u], max_b Q_target
  std::vector<float> output_gradient_;  // [u, actions]
  std::vector<float> gradient_;         // [d]
};

}  // namespace paretofl
