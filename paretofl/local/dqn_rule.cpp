#include "paretofl/local/dqn_rule.h"

#include <algorithm>

namespace paretofl {

void GreedyPolicy::act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) {
  std::copy(observation.begin(), observation.end(), input_.begin());
  const auto values = network_.forward(theta.first(network_.shape().num_parameters()), input_, 1);
  action[0] = static_cast<double>(std::max_element(values.begin(), values.end()) - values.begin());
}

DqnRule::DqnRule(const DqnOptions& options, double rate, const ActionSpace& actions, const DenseShape& shape)
    : options_(options),
      actions_(actions),
      policy_(shape),
      update_(shape, {.gamma = options.base.gamma, .max_norm = options.max_gradient_norm, .rate = rate}),
      size_(shape.num_parameters()),
      target_(options.send_target ? 0 : size_) {}

double DqnRule::epsilon(const DqnOptions& options, std::int64_t steps) {
  const double done = static_cast<double>(steps) / static_cast<double>(options.total_steps);
  if (done > options.exploration_fraction) return options.exploration_final;
  return 1 + done * (options.exploration_final - 1) / options.exploration_fraction;
}

void DqnRule::start(std::span<float> theta) {
  const std::span<const float> from = online(theta);
  std::copy(from.begin(), from.end(), target(theta).begin());
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

void DqnRule::after_step(std::span<float> theta, std::int64_t steps) {
  if (steps % options_.target_update_interval == 0) start(theta);
}

void DqnRule::update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal) {
  update_.step(online(theta), target(theta), batch, proximal);
}

Record DqnRule::save() const {
  Record state;
  if (!options_.send_target) state.arrays.emplace("target", Array(std::span<const float>(target_)));
  state.records.emplace("adam", update_.save());
  return state;
}

void DqnRule::load(const Record& state) {
  std::vector<float> target;
  if (!options_.send_target) {
    const auto saved = float_array(state, "target", size_);
    target.assign(saved.begin(), saved.end());
  }
  update_.load(state.record("adam"));
  target_ = std::move(target);
}

}  // namespace paretofl
