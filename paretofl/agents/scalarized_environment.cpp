#include "paretofl/agents/scalarized_environment.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

ScalarizedEnvironment::ScalarizedEnvironment(const std::string& id, Preference preference, std::size_t buffer_size, KeptReward kept)
    : environment_(make_environment(id)),
      preference_(std::move(preference)),
      kept_(kept),
      buffer_(buffer_size, spec().observation.size(), spec().action.size(),
              kept == KeptReward::kScalarized ? 1 : environment_->num_objectives()),
      observation_(spec().observation.size()),
      next_observation_(spec().observation.size()),
      reward_(environment_->num_objectives()) {
  expect(preference_.size() == reward_.size(), "{}: expected a preference over {} objectives, found {}", id, reward_.size(),
         preference_.size());
}

void ScalarizedEnvironment::begin(StreamId stream) {
  if (begun_) return;
  stream.round = 0;
  environment_->reset(stream, observation_);
  begun_ = true;
}

bool ScalarizedEnvironment::step(std::span<const double> action, std::span<const double> remembered) {
  StepOutcome outcome;
  try {
    outcome = environment_->step(action, next_observation_, reward_);
  } catch (const Error&) {
    environment_->reset(observation_);
    throw;
  }
  const double scalarized = preference_.scalarize(reward_);
  buffer_.add({.observation = observation_,
               .action = remembered,
               .reward = kept_ == KeptReward::kScalarized ? std::span(&scalarized, 1) : std::span<const double>(reward_),
               .next_observation = next_observation_,
               .terminated = outcome.terminated});
  if (outcome.ended()) {
    environment_->reset(observation_);
  } else {
    std::swap(observation_, next_observation_);
  }
  return outcome.ended();
}

Record ScalarizedEnvironment::save() const {
  Record state;
  state.records.emplace("environment", environment_->save());
  state.records.emplace("buffer", buffer_.save());
  state.scalars.emplace("begun", begun_ ? 1 : 0);
  return state;
}

void ScalarizedEnvironment::load(const Record& state) {
  environment_->load(state.record("environment"));
  const Record& buffer = state.record("buffer");
  if (spec().action.discrete()) {
    for (const float action : buffer.array("actions").floats()) {
      expect(action >= 0 && action < static_cast<float>(spec().action.choices) && action == std::floor(action),
             "replay buffer: expected actions from 0 to {}, found {}", spec().action.choices - 1, action);
    }
  }
  buffer_.load(buffer);
  begun_ = state.scalar("begun") != 0;
  if (begun_) environment_->observe(observation_);
}

}  // namespace paretofl
