#include "paretofl/tabular/transition_source.h"

#include <algorithm>

namespace paretofl {

StateTransition TransitionSource::draw(Random& random) {
  if (!distribution_.empty()) state_ = draw_index(distribution_, random);
  StateTransition drawn{state_, model_.draw_action(policy_, state_, random), 0};
  drawn.next = model_.draw_next(drawn.state, drawn.action, random);
  state_ = restart_ > 0 && random.uniform() < restart_ ? model_.draw_start(random) : drawn.next;
  return drawn;
}

void td_policy_gradient(const TabularModel& model, std::span<const double> policy, std::span<const double> values, std::int64_t batch,
                        TransitionSource& source, Random& random, std::span<double> losses, std::span<float> jacobian) {
  const std::size_t m = model.objectives();
  const std::size_t d = policy.size();
  const std::size_t actions = model.actions();
  const double share = 1 / static_cast<double>(batch);
  std::fill(losses.begin(), losses.end(), 0.0);
  std::vector<double> errors(m * d);  // sums of TD errors by objective, state and action
  for (std::int64_t l = 0; l < batch; ++l) {
    const StateTransition at = source.draw(random);
    for (std::size_t k = 0; k < m; ++k) {
      const double reward = model.reward(at.state, at.action, k);
      losses[k] -= share * reward;
      errors[k * d + at.state * actions + at.action] += reward + model.discount() * values[at.next * m + k] - values[at.state * m + k];
    }
  }
  // psi(s, a) = e_(s,a) - sum_b pi(b | s) e_(s,b)
  for (std::size_t row = 0; row < m * d; row += actions) {  // an objective and a state
    double sum = 0;
    for (std::size_t a = 0; a < actions; ++a) sum += errors[row + a];
    for (std::size_t a = 0; a < actions; ++a)
      jacobian[row + a] = static_cast<float>(-share * (errors[row + a] - policy[row % d + a] * sum));
  }
}

}  // namespace paretofl
