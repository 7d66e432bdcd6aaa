#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/agents/replay_buffer.h"
#include "paretofl/environments/environment.h"
#include "paretofl/objectives/preference.h"

namespace paretofl {

/// An environment as one client trains in it: rewards scalarized by the client's preference, the next episode begun where
/// one ends, every transition kept in a replay buffer.
class ScalarizedEnvironment {
 public:
  /// Throws Error if `id` is unknown or the preference is over another number of objectives.
  ScalarizedEnvironment(const std::string& id, Preference preference, std::size_t buffer_size);

  /// Starts the first episode, once; the stream's round does not matter.
  void begin(StreamId stream);

  const EnvironmentSpec& spec() const { return environment_->spec(); }
  std::span<const double> observation() const { return observation_; }  ///< [D], to act on
  const ReplayBuffer& buffer() const { return buffer_; }

  /// Takes an action [A] and keeps the transition. Where the agent remembers its actions on another scale, `remembered`
  /// [A] is what the buffer gets. Throws Error if the environment does, with the next episode begun.
  void step(std::span<const double> action, std::span<const double> remembered);

  Record save() const;
  void load(const Record& state);

 private:
  std::unique_ptr<Environment> environment_;
  Preference preference_;
  ReplayBuffer buffer_;
  bool begun_ = false;
  std::vector<double> observation_;
  std::vector<double> next_observation_;
  std::vector<double> reward_;
};

}  // namespace paretofl
