#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/reply.h"
#include "paretofl/local/gradient_oracle.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// How a client trains between two exchanges: tau steps of SGD without momentum, or of Adam (adam.h), whose moments
/// start at zero in every round, so that clients keep no state. Agents (agent.h) keep their moments and all other state.
struct LocalTrainingOptions {
  std::int64_t local_steps = 10;  ///< tau
  double client_lr = 0.1;         ///< eta_c
  std::string optimizer = "sgd";  ///< or "adam"
  double proximal = 0;            ///< mu of FedProx: adds mu / 2 ||x - x_start||^2 to the local loss
  double max_grad_norm = 0;       ///< longer gradients are shortened to this L2 norm; 0: none are
  double weight_decay = 0;        ///< x <- (1 - rate weight_decay) x before each step (AdamW, Loshchilov and Hutter 2019)

  /// tau eta_c: an update is this times the mean of the gradients along its steps, as far as SGD takes them.
  double path_length() const { return static_cast<double>(local_steps) * client_lr; }

  void describe(OptionVisitor& visit);
  /// max_grad_norm and weight_decay, for strategies that have them.
  void describe_regularization(OptionVisitor& visit);
};

/// The result of local training: update = x_start - x_tau [d] (so that the server descends along it),
/// and the mean minibatch losses over the steps [M].
struct LocalUpdate {
  std::vector<float> update;
  std::vector<double> losses;

  /// Multiplies the update, unless the factor is 1.
  void scale_update(double factor);
};

/// Computes step s's losses [M] and gradient [d] at theta [d].
using StepGradient =
    std::function<void(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> gradient)>;

/// Learning rate of step s instead of eta_c.
using StepRate = std::function<double(std::int64_t step)>;

/// A step of the optimizer along gradient + mu (x - x_start), tau times from `start` [d]; for SGD
/// x <- x - eta_c (gradient + mu (x - x_start)). The gradient is clipped before, with all that is added to it.
LocalUpdate train_locally(const LocalTrainingOptions& options, std::span<const float> start, std::size_t num_objectives,
                          const StepGradient& step_gradient, const StepRate& step_rate = {});

/// Local steps on sum_k lambda_k f_k with minibatches from `stream`.
LocalUpdate train_locally(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> start,
                          std::span<const double> objective_weights, const Random& stream);

/// Local steps on f_k alone with minibatches from `stream`. Of an oracle that multiplies f_k by `factor` (PartialOracle) the whole update
/// and the losses are times that, not the gradient of each step. `losses` are [1].
LocalUpdate train_on_objective(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> start,
                               std::size_t objective, double factor, const Random& stream);

/// The reply that carries an update: its data count, the update and the losses.
Reply to_reply(LocalUpdate local, const GradientOracle& oracle);

}  // namespace paretofl
