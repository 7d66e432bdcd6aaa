#include "paretofl/agents/envelope_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "paretofl/agents/dqn_rule.h"

namespace paretofl {

EnvelopePolicy::EnvelopePolicy(const DenseShape& shape, const Preference& preference)
    : objectives_(preference.size()), network_(shape), input_(shape.inputs()) {
  std::transform(preference.weights().begin(), preference.weights().end(), input_.end() - static_cast<std::ptrdiff_t>(objectives_),
                 [](double x) { return static_cast<float>(x); });
}

void EnvelopePolicy::act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) {
  std::copy(observation.begin(), observation.end(), input_.begin());
  const auto values = network_.forward_one(theta.first(network_.shape().num_parameters()), input_);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < values.size() / objectives_; ++a) {
    const double value =
        std::inner_product(preference().begin(), preference().end(), values.begin() + static_cast<std::ptrdiff_t>(a * objectives_), 0.0);
    if (a > 0 && !(value > largest)) continue;
    largest = value;
    action[0] = static_cast<double>(a);
  }
}

void EnvelopePolicy::set_preference(std::span<const float> preference) {
  std::ranges::copy(preference, input_.end() - static_cast<std::ptrdiff_t>(objectives_));
}

EnvelopeRule::EnvelopeRule(const EnvelopeOptions& options, double rate, const ActionSpace& actions, const DenseShape& shape,
                           const Preference& preference)
    : options_(options),
      actions_(actions),
      objectives_(preference.size()),
      policy_(shape, preference),
      update_(shape, objectives_, {.gamma = options.dqn.base.gamma, .max_norm = options.dqn.max_gradient_norm, .rate = rate}),
      target_(shape.num_parameters(), options.dqn.base.send_target),
      acting_(preference, options.acting),
      drawn_(static_cast<std::size_t>(options.preferences_per_update) * objectives_) {}

void EnvelopeRule::start(std::span<const float> theta) {
  target_.start(theta);
  update_.reset();
  acting_.begin_episode();  // also after a training that failed, perhaps within an episode
}

void EnvelopeRule::choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up,
                          Random& explore, std::span<double> action, std::span<double> remembered) {
  policy_.set_preference(acting_.at_step(explore));
  if (warming_up || explore.uniform() < DqnRule::epsilon(options_.dqn, steps)) {
    actions_.sample(explore, action);
  } else {
    policy_.act(theta, observation, action);
  }
  remembered[0] = action[0];
}

void EnvelopeRule::after_step(std::span<float> theta, std::int64_t steps, bool ended) {
  if (steps % options_.dqn.target_update_interval == 0) target_.copy_trained(theta);
  if (ended) acting_.begin_episode();
  homotopy_ = options_.homotopy_final * std::min(1.0, static_cast<double>(steps) / static_cast<double>(options_.dqn.total_steps));
}

void EnvelopeRule::update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) {
  for (std::size_t w = 0; w < drawn_.size(); w += objectives_) draw_weights(random, std::span(drawn_).subspan(w, objectives_));
  update_.step(target_.trained(theta), target_.of(theta), batch, drawn_, homotopy_, proximal);
}

Record EnvelopeRule::save() const {
  Record state;
  target_.save(state);
  state.records.emplace("adam", update_.save());
  acting_.save(state);
  return state;
}

void EnvelopeRule::load(const Record& state) {
  update_.load(state.record("adam"));
  target_.load(state);
  acting_.load(state);
}

}  // namespace paretofl
