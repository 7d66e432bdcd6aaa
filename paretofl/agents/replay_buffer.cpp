#include "paretofl/agents/replay_buffer.h"

#include <algorithm>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// The columns of a batch: name, numbers per transition, values.
template <class Batch, class Visit>
void for_each_column(Batch& batch, std::size_t observation_size, std::size_t action_size, std::size_t reward_size, const Visit& visit) {
  visit("observations", observation_size, batch.observations);
  visit("actions", action_size, batch.actions);
  visit("rewards", reward_size, batch.rewards);
  visit("next_observations", observation_size, batch.next_observations);
  visit("continues", std::size_t{1}, batch.continues);
}

void put(std::vector<float>& column, std::size_t place, std::span<const double> values) {
  if (column.size() < (place + 1) * values.size()) column.resize((place + 1) * values.size());
  std::transform(values.begin(), values.end(), column.begin() + static_cast<std::ptrdiff_t>(place * values.size()),
                 [](double x) { return static_cast<float>(x); });
}

}  // namespace

ReplayBuffer::ReplayBuffer(std::size_t capacity, std::size_t observation_size, std::size_t action_size, std::size_t reward_size)
    : capacity_(capacity), observation_size_(observation_size), action_size_(action_size), reward_size_(reward_size) {
  expect(capacity >= 1, "replay buffer: expected room for at least one transition, found {}", capacity);
}

void ReplayBuffer::add(const Transition& transition) {
  const double continues = transition.terminated ? 0 : 1;
  put(held_.observations, next_, transition.observation);
  put(held_.actions, next_, transition.action);
  put(held_.rewards, next_, transition.reward);
  put(held_.next_observations, next_, transition.next_observation);
  put(held_.continues, next_, {&continues, 1});
  held_.size = std::max(held_.size, next_ + 1);
  next_ = (next_ + 1) % capacity_;
}

void ReplayBuffer::sample(std::size_t count, Random& random, TransitionBatch& batch) const {
  expect(held_.size > 0, "replay buffer: expected at least one transition to draw from, found none");
  std::vector<std::size_t> places(count);
  for (std::size_t& place : places) place = random.below(held_.size);
  take(places, batch);
}

void ReplayBuffer::take(std::span<const std::size_t> places, TransitionBatch& batch) const {
  batch.size = places.size();
  const auto gather = [&](std::size_t width, const std::vector<float>& from, std::vector<float>& to) {
    to.resize(places.size() * width);
    for (std::size_t i = 0; i < places.size(); ++i) std::copy_n(from.data() + places[i] * width, width, to.data() + i * width);
  };
  gather(observation_size_, held_.observations, batch.observations);
  gather(action_size_, held_.actions, batch.actions);
  gather(reward_size_, held_.rewards, batch.rewards);
  gather(observation_size_, held_.next_observations, batch.next_observations);
  gather(1, held_.continues, batch.continues);
}

Record ReplayBuffer::save() const {
  Record state;
  state.scalars.emplace("size", static_cast<double>(held_.size));
  state.scalars.emplace("next", static_cast<double>(next_));
  for_each_column(held_, observation_size_, action_size_, reward_size_,
                  [&](const char* name, std::size_t, const std::vector<float>& column) {
                    state.arrays.emplace(name, Array(std::span<const float>(column)));
                  });
  return state;
}

void ReplayBuffer::load(const Record& state) {
  const auto size = static_cast<std::size_t>(count_scalar(state, "size"));
  const auto next = static_cast<std::size_t>(count_scalar(state, "next"));
  expect(size <= capacity_ && next < capacity_ && (size == capacity_ || size == next),
         "replay buffer: expected at most {} transitions and a place among them, found {} and {}", capacity_, size, next);
  TransitionBatch held;
  held.size = size;
  for_each_column(held, observation_size_, action_size_, reward_size_,
                  [&](const char* name, std::size_t width, std::vector<float>& column) {
                    const auto values = float_array(state, name, held.size * width);
                    column.assign(values.begin(), values.end());
                  });
  held_ = std::move(held);
  next_ = next;
}

}  // namespace paretofl
