#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/core/record.h"
#include "paretofl/environments/action_space.h"
#include "paretofl/environments/observation_space.h"
#include "paretofl/environments/physical_state.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// The description of an environment.
struct EnvironmentSpec {
  std::string id;  ///< as published, such as "minecart-v0"
  ObservationSpace observation;
  ActionSpace action;
  std::vector<std::string> objective_names;  ///< [M]; each is a return to maximize
  std::int64_t max_episode_steps = 0;        ///< the step that truncates an episode; 0: none does
  bool always_terminates = false;            ///< every episode reaches its end by itself, whatever the actions are
};

/// Whether a step ended the episode. Both can be true at once.
struct StepOutcome {
  bool terminated = false;  ///< the environment reached an end by its own rule
  bool truncated = false;   ///< the step limit was reached

  bool ended() const { return terminated || truncated; }
};

/// A Markov decision process with a reward per objective, by Gymnasium's rules: reset, then step until the episode has
/// ended, then reset again. All randomness comes from the stream given to reset and the numbers of the episode and
/// the step, so the same stream and actions give the same bits. One thread at a time.
class Environment {
 public:
  virtual ~Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  const EnvironmentSpec& spec() const { return spec_; }
  std::size_t num_objectives() const { return spec_.objective_names.size(); }  ///< M

  /// Starts the stream's first episode and writes its first observation [D].
  void reset(StreamId stream, std::span<double> observation);
  /// The same, with the first episode starting from a given state. Throws Error if the environment has no state
  /// that can be given, and on a state that does not fit it.
  void reset(StreamId stream, const PhysicalState& state, std::span<double> observation);
  /// Starts the stream's next episode, ended or not. Throws Error unless a stream was given before.
  void reset(std::span<double> observation);
  /// One action [A]; writes the observation [D] after it and its reward [M]. Throws Error, and changes nothing, on an
  /// illegal action and when no episode is running. Throws it as well if a simulation diverges or a reward is not finite: that ends the
  /// episode.
  StepOutcome step(std::span<const double> action, std::span<double> observation, std::span<double> reward);

  /// Writes again the observation [D] of the last reset or step, for use after loading a state. Throws Error before any reset.
  void observe(std::span<double> observation) const;
  /// The complete state; with it another environment of this id continues with the same bits.
  Record save() const;
  /// Throws Error on a state whose parts or their ranges aren't those that save() of this id writes; reset or load again after that.
  void load(const Record& record);

 protected:
  explicit Environment(EnvironmentSpec spec) : spec_(std::move(spec)) {}

  std::int64_t steps() const { return steps_; }  ///< taken in this episode, the one that is being taken included
  bool ended() const { return phase_ == Phase::kEnded; }
  Random start_random() const;                  ///< the random stream of start() in this episode
  Random step_random(std::int64_t step) const;  ///< the stream of a step of this episode, from 1
  Random step_random() const { return step_random(steps_); }
  /// Called in advance(): this step truncates the episode, whatever max_episode_steps says.
  void truncate() { truncated_ = true; }

 private:
  enum class Phase { kNew, kRunning, kEnded };

  virtual void start(Random random) = 0;
  virtual void start_at(const PhysicalState& state);
  /// Takes a legal action, sets the reward [M], and returns whether the episode has terminated.
  virtual bool advance(std::span<const double> action, std::span<double> reward) = 0;
  virtual void write_observation(std::span<double> observation) const = 0;
  virtual Record save_state() const = 0;
  /// Where steps(), ended(), start_random() and step_random() already are those of the saved episode.
  virtual void load_state(const Record& state) = 0;

  Random episode_random() const;
  void begin(StreamId stream, std::uint64_t episode);

  EnvironmentSpec spec_;
  StreamId stream_;
  std::uint64_t episode_ = 0;
  std::int64_t steps_ = 0;
  bool truncated_ = false;  // the step that is being taken
  Phase phase_ = Phase::kNew;
};

/// Every environment by its published id.
Registry<std::unique_ptr<Environment>()>& environments();

/// Throws Error naming the known ids if `id` is not one of them.
std::unique_ptr<Environment> make_environment(std::string_view id);

}  // namespace paretofl
