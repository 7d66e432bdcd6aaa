#include "paretofl/tabular/tabular_actor_critic.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/tabular/transition_source.h"

namespace paretofl {

void TabularActorCriticOptions::describe(OptionVisitor& visit) {
  visit.integer("batch_size", batch_size, 1, kMaxInt, "transitions of one actor gradient (B)");
  visit.integer("critic_iterations", critic_iterations, 1, kMaxInt, "TD steps of the critic before each actor gradient (N)");
  visit.integer("critic_batch_size", critic_batch_size, 1, kMaxInt, "transitions of one TD step (D)");
  visit.real("critic_lr", critic_lr, 0, kInfinity, "step size of the critic (alpha')");
  visit.choice("sampling", sampling, {"markov", "independent"},
               "transitions along chains that go on from step to step, or each from the exact distribution of states");
}

TabularActorCritic::TabularActorCritic(const TabularActorCriticOptions& options, const TabularModel& model,
                                       std::span<const double> features, double radius, std::shared_ptr<const Layout> layout)
    : options_(options),
      model_(model),
      features_(features),
      radius_(radius),
      layout_(std::move(layout)),
      critic_(model.objectives() * features.size() / model.states()) {}

void TabularActorCritic::start_round(StreamId stream) {
  stream_ = stream;
  rewards_.assign(num_objectives(), 0);
  steps_ = 0;
  if (critic_state_ >= 0) return;
  Random random(stream, "first states");
  critic_state_ = static_cast<std::int64_t>(model_.draw_start(random));
  actor_state_ = static_cast<std::int64_t>(model_.draw_start(random));
}

void TabularActorCritic::jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) {
  expect(!rewards_.empty(), "local steps: expected a round to be started before step {}, found none", step);
  const Random stream = Random(stream_, "actor-critic").substream("step", static_cast<std::uint64_t>(step));
  const std::vector<double> policy = model_.softmax_policy(theta);
  train_critic(policy, stream);
  const bool independent = options_.sampling == "independent";
  TransitionSource source(model_, policy, static_cast<std::size_t>(actor_state_), 1 - model_.discount(),
                          independent ? model_.visitation(policy) : std::vector<double>{});
  Random draws = stream.substream("actor");
  td_policy_gradient(model_, policy, values(), options_.batch_size, source, draws, losses, jacobian);
  actor_state_ = static_cast<std::int64_t>(source.state());
  for (std::size_t k = 0; k < rewards_.size(); ++k) rewards_[k] -= losses[k];
  ++steps_;
}

void TabularActorCritic::train_critic(std::span<const double> policy, const Random& stream) {
  const std::size_t m = num_objectives();
  const std::size_t size = critic_.size() / m;  // d_2
  const bool independent = options_.sampling == "independent";
  TransitionSource source(model_, policy, static_cast<std::size_t>(critic_state_), 0,
                          independent ? model_.stationary(policy) : std::vector<double>{});
  Random draws = stream.substream("critic");
  const double rate = options_.critic_lr / static_cast<double>(options_.critic_batch_size);
  std::vector<double> errors(model_.states() * m);  // sums of TD errors by state
  for (std::int64_t n = 0; n < options_.critic_iterations; ++n) {
    const std::vector<double> table = values();
    std::fill(errors.begin(), errors.end(), 0.0);
    for (std::int64_t i = 0; i < options_.critic_batch_size; ++i) {
      const StateTransition at = source.draw(draws);
      for (std::size_t k = 0; k < m; ++k) {
        errors[at.state * m + k] +=
            model_.reward(at.state, at.action, k) + model_.discount() * table[at.next * m + k] - table[at.state * m + k];
      }
    }
    for (std::size_t k = 0; k < m; ++k) {
      const auto w = std::span(critic_).subspan(k * size, size);
      double square = 0;
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t s = 0; s < model_.states(); ++s) w[j] += rate * errors[s * m + k] * features_[s * size + j];
        square += w[j] * w[j];
      }
      expect(std::isfinite(square), "critic: expected finite values, found one that is not finite; is workload.critic_lr = {} too large?",
             options_.critic_lr);
      const double norm = std::sqrt(square);
      if (norm <= radius_) continue;
      for (double& x : w) x *= radius_ / norm;
    }
  }
  critic_state_ = static_cast<std::int64_t>(source.state());
}

std::vector<double> TabularActorCritic::values() const {
  const std::size_t m = num_objectives();
  const std::size_t size = critic_.size() / m;
  std::vector<double> table(model_.states() * m);
  for (std::size_t s = 0; s < model_.states(); ++s) {
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t j = 0; j < size; ++j) table[s * m + k] += features_[s * size + j] * critic_[k * size + j];
    }
  }
  return table;
}

std::map<std::string, std::vector<double>> TabularActorCritic::figures() const {
  std::vector<double> mean = rewards_;
  for (double& reward : mean) reward /= static_cast<double>(std::max<std::int64_t>(steps_, 1));
  return {{"reward", std::move(mean)}};
}

void TabularActorCritic::save(Record& state) const {
  const auto m = static_cast<std::int64_t>(num_objectives());
  state.arrays.insert_or_assign("critic", Array(std::span(critic_), {m, static_cast<std::int64_t>(critic_.size()) / m}));
  state.arrays.insert_or_assign("chains", Array(std::vector<std::int64_t>{critic_state_, actor_state_}));
}

void TabularActorCritic::load(const Record& state) {
  const auto critic = double_array(state, "critic", critic_.size());
  const auto chains = state.array("chains").ints();
  const auto known = [&](std::int64_t s) { return s >= -1 && s < static_cast<std::int64_t>(model_.states()); };
  expect(chains.size() == 2 && known(chains[0]) && known(chains[1]) && (chains[0] < 0) == (chains[1] < 0),
         "critic: expected two chains in states below {}, found others", model_.states());
  critic_.assign(critic.begin(), critic.end());
  critic_state_ = chains[0];
  actor_state_ = chains[1];
}

}  // namespace paretofl
