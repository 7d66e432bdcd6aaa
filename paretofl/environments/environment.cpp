#include "paretofl/environments/environment.h"

#include <array>
#include <cassert>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

Random Environment::episode_random() const { return Random(stream_, "environment").substream("episode", episode_); }

Random Environment::start_random() const { return episode_random().substream("start"); }

Random Environment::step_random(std::int64_t step) const { return episode_random().substream("step", static_cast<std::uint64_t>(step)); }

void Environment::begin(StreamId stream, std::uint64_t episode) {
  stream_ = stream;
  episode_ = episode;
  steps_ = 0;
  phase_ = Phase::kRunning;
}

void Environment::start_at(const PhysicalState&) {
  throw Error(fmt::format("{}: expected an environment with joints' positions and velocities to start from, found one without", spec_.id));
}

void Environment::reset(StreamId stream, std::span<double> observation) {
  begin(stream, 0);
  start(start_random());
  observe(observation);
}

void Environment::reset(StreamId stream, const PhysicalState& state, std::span<double> observation) {
  start_at(state);
  begin(stream, 0);
  observe(observation);
}

void Environment::reset(std::span<double> observation) {
  expect(phase_ != Phase::kNew, "{}: expected a seed in the first reset, found none", spec_.id);
  begin(stream_, episode_ + 1);
  start(start_random());
  observe(observation);
}

StepOutcome Environment::step(std::span<const double> action, std::span<double> observation, std::span<double> reward) {
  assert(reward.size() == num_objectives());
  expect(phase_ != Phase::kNew, "{}: expected a reset before the first step, found none", spec_.id);
  expect(phase_ != Phase::kEnded, "{}: expected a reset after the episode's end at step {}, found another step", spec_.id, steps_);
  spec_.action.check(action, spec_.id);
  ++steps_;
  StepOutcome outcome;
  phase_ = Phase::kEnded;
  truncated_ = false;
  outcome.terminated = advance(action, reward);
  for (const double r : reward) expect(std::isfinite(r), "{}: expected finite rewards, found {} at step {}", spec_.id, r, steps_);
  outcome.truncated = truncated_ || steps_ == spec_.max_episode_steps;
  if (!outcome.ended()) phase_ = Phase::kRunning;
  observe(observation);
  return outcome;
}

void Environment::observe(std::span<double> observation) const {
  assert(observation.size() == spec_.observation.size());
  expect(phase_ != Phase::kNew, "{}: expected a reset before the first observation, found none", spec_.id);
  write_observation(observation);
}

Record Environment::save() const {
  const std::array<std::int64_t, 6> progress = {static_cast<std::int64_t>(stream_.seed), stream_.round, stream_.client,
                                                static_cast<std::int64_t>(episode_),     steps_,        static_cast<std::int64_t>(phase_)};
  Record record;
  record.texts.emplace("environment", spec_.id);
  record.arrays.emplace("progress", Array(progress));
  if (phase_ != Phase::kNew) record.records.emplace("state", save_state());
  return record;
}

void Environment::load(const Record& record) {
  expect(record.text("environment") == spec_.id, "{}: expected a state of this environment, found one of {}", spec_.id,
         record.text("environment"));
  const auto progress = record.array("progress").ints();
  expect(progress.size() == 6, "{}: expected 6 numbers of progress, found {}", spec_.id, progress.size());
  const auto limit = spec_.max_episode_steps;
  expect(progress[4] >= 0 && (limit == 0 || progress[4] <= limit), "{}: expected a step from 0 to {}, found {}", spec_.id, limit,
         progress[4]);
  expect(progress[5] >= 0 && progress[5] <= 2, "{}: expected a phase from 0 to 2, found {}", spec_.id, progress[5]);
  phase_ = static_cast<Phase>(progress[5]);
  expect(phase_ != Phase::kRunning || limit == 0 || progress[4] < limit,
         "{}: expected an episode that has ended at step {}, found one going on", spec_.id, limit);
  stream_ = {.seed = static_cast<std::uint64_t>(progress[0]),
             .round = static_cast<std::uint32_t>(progress[1]),
             .client = static_cast<std::uint32_t>(progress[2])};
  episode_ = static_cast<std::uint64_t>(progress[3]);
  steps_ = progress[4];
  if (phase_ != Phase::kNew) load_state(record.record("state"));
}

std::unique_ptr<Environment> make_environment(std::string_view id) { return environments().at(id).make(); }

}  // namespace paretofl
