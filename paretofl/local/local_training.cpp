#include "paretofl/local/local_training.h"

#include <cmath>
#include <optional>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/local/adam.h"
#include "paretofl/optimization/vectors.h"

namespace paretofl {
namespace {

/// Shortens the gradient to the norm, as PyTorch's clip_grad_norm_ does.
void clip_norm(std::span<float> gradient, double most) {
  const double factor = most / (std::sqrt(squared_norm(gradient)) + 1e-6);
  if (factor >= 1) return;
  for (float& g : gradient) g = static_cast<float>(factor * g);
}

}  // namespace

void LocalTrainingOptions::describe(OptionVisitor& visit) {
  visit.integer("local_steps", local_steps, 1, kMaxInt, "local steps of a client per round (tau)");
  visit.real("client_lr", client_lr, 0, kInfinity, "learning rate of the local steps (eta_c)");
  visit.choice("optimizer", optimizer, {"sgd", "adam"},
               "optimizer of the local steps; Adam's moments start at zero in every round, except for agents, which keep them");
}

void LocalTrainingOptions::describe_regularization(OptionVisitor& visit) {
  visit.real("max_grad_norm", max_grad_norm, 0, kInfinity, "longer gradients are shortened to this L2 norm; 0: none are");
  visit.real("weight_decay", weight_decay, 0, kInfinity,
             "weight decay of AdamW: every local step also multiplies the parameters by 1 - client_lr weight_decay");
}

LocalUpdate train_locally(const LocalTrainingOptions& options, std::span<const float> start, std::size_t num_objectives,
                          const StepGradient& step_gradient, const StepRate& step_rate) {
  std::vector<float> theta(start.begin(), start.end());
  std::vector<float> gradient(start.size());
  std::vector<double> losses(num_objectives);
  LocalUpdate result{{}, std::vector<double>(num_objectives)};
  const auto proximal = static_cast<float>(options.proximal);
  std::optional<Adam> adam;
  if (options.optimizer == "adam") adam.emplace(theta.size(), options.client_lr);
  for (std::int64_t step = 0; step < options.local_steps; ++step) {
    step_gradient(step, theta, losses, gradient);
    const double rate = step_rate ? step_rate(step) : options.client_lr;
    const bool clipped = options.max_grad_norm > 0;
    const bool pulled = adam || clipped || options.weight_decay > 0;  // by mu before the step, and not in it
    if (pulled) {
      for (std::size_t i = 0; i < theta.size(); ++i) gradient[i] += proximal * (theta[i] - start[i]);
    }
    const float pull = pulled ? 0 : proximal;
    if (clipped) clip_norm(gradient, options.max_grad_norm);
    if (options.weight_decay > 0) {
      const auto kept = static_cast<float>(1 - rate * options.weight_decay);
      for (float& x : theta) x *= kept;
    }
    if (adam) {
      adam->set_rate(rate);
      adam->step(gradient, theta);
    } else {
      const auto step_size = static_cast<float>(rate);
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= step_size * (gradient[i] + pull * (theta[i] - start[i]));
    }
    for (std::size_t k = 0; k < num_objectives; ++k) {
      expect(std::isfinite(losses[k]), "local training: expected finite losses, found {} for objective {} at step {}", losses[k], k, step);
      result.losses[k] += losses[k] / static_cast<double>(options.local_steps);
    }
  }
  for (std::size_t i = 0; i < theta.size(); ++i) gradient[i] = start[i] - theta[i];
  result.update = std::move(gradient);
  return result;
}

LocalUpdate train_locally(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> start,
                          std::span<const double> objective_weights, const Random& stream) {
  return train_locally(options, start, oracle.num_objectives(),
                       [&](std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> gradient) {
                         oracle.weighted_gradient(theta, objective_weights, {stream, step}, losses, gradient);
                       });
}

LocalUpdate train_on_objective(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> start,
                               std::size_t objective, double factor, const Random& stream) {
  LocalUpdate local = train_locally(options, start, 1, [&](std::int64_t step, auto theta, auto losses, auto gradient) {
    losses[0] = oracle.objective_gradient(theta, objective, {stream, step}, gradient);
    if (factor == 0 || factor == 1) return;
    for (float& g : gradient) g /= static_cast<float>(factor);
  });
  local.scale_update(factor);
  return local;
}

void LocalUpdate::scale_update(double factor) {
  if (factor == 1) return;
  for (float& x : update) x *= static_cast<float>(factor);
}

Reply to_reply(LocalUpdate local, const GradientOracle& oracle) {
  Reply reply;
  reply.num_samples = oracle.num_samples();
  reply.update = std::move(local.update);
  reply.losses = std::move(local.losses);
  return reply;
}

}  // namespace paretofl
