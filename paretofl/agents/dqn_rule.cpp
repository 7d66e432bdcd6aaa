#include "paretofl/agents/dqn_rule.h"

#include <algorithm>

namespace paretofl {

void GreedyPolicy::act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) {
  std::copy(observation.begin(), observation.end(), input_.begin());
  const auto values = network_.forward_one(theta.first(network_.shape().num_parameters()), input_);
  action[0] = static_cast<double>(std::max_element(values.begin(), values.end()) - values.begin());
}

DqnRule::DqnRule(const DqnOptions& options, double rate, const ActionSpace& actions, const DenseShape& shape)
    : options_(options),
      actions_(actions),
      policy_(shape),
      update_(shape, {.gamma = options.base.gamma, .max_norm = options.max_gradient_norm, .rate = rate}),
      target_(shape.num_parameters(), options.base.send_target) {}

double DqnRule::epsilon(const DqnOptions& options, std::int64_t steps) {
  const double done = static_cast<double>(steps) / static_cast<double>(options.total_steps);
  if (done > options.exploration_fraction) return options.exploration_final;
  return 1 + done * (options.exploration_final - 1) / options.exploration_fraction;
}

void DqnRule::start(std::span<const float> theta) {
  target_.start(theta);
  update_.reset();
}

void DqnRule::choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up,
                     Random& explore, std::span<double> action, std::span<double> remembered) {
  if (warming_up || explore.uniform() < epsilon(options_, steps)) {
    actions_.sample(explore, action);
  } else {
    policy_.act(theta, observation, action);
  }
  remembered[0] = action[0];
}

void DqnRule::after_step(std::span<float> theta, std::int64_t steps, bool) {
  if (steps % options_.target_update_interval == 0) target_.copy_trained(theta);
}

void DqnRule::update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random&) {
  update_.step(target_.trained(theta), target_.of(theta), batch, proximal);
}

Record DqnRule::save() const {
  Record state;
  target_.save(state);
  state.records.emplace("adam", update_.save());
  return state;
}

void DqnRule::load(const Record& state) {
  update_.load(state.record("adam"));
  target_.load(state);
}

}  // namespace paretofl
