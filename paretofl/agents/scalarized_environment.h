#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/agents/replay_buffer.h"
#include "paretofl/environments/environment.h"
#include "paretofl/objectives/preference.h"

namespace paretofl {

/// Which reward a replay buffer keeps of each transition: the preference's weighted sum, or that of every objective.
enum class KeptReward { kScalarized, kOfEachObjective };

/// An environment as one client trains in it: rewards scalarized by the client's preference unless those of each objective are kept, the
/// next episode begun where one ends, every transition kept in a replay buffer.
class ScalarizedEnvironment {
 public:
  /// Throws Error if `id` is unknown or the preference is over another number of objectives.
  ScalarizedEnvironment(const std::string& id, Preference preference, std::size_t buffer_size, KeptReward kept = KeptReward::kScalarized);

  /// Starts the first episode, once; the stream's round does not matter.
  void begin(StreamId stream);

  const EnvironmentSpec& spec() const { return environment_->spec(); }
  std::span<const double> observation() const { return observation_; }  ///< [D], to act on
  const ReplayBuffer& buffer() const { return buffer_; }

  /// Takes an action [A] and keeps the transition. Where the agent remembers its actions on another scale, `remembered`
  /// [A] is what the buffer gets. Returns whether the episode ended, and so the next one began. Throws Error if the environment does, with
  /// the next episode begun.
  bool step(std::span<const double> action, std::span<const double> remembered);

  Record save() const;
  void load(const Record& state);

 private:
  std::unique_ptr<Environment> environment_;
  Preference preference_;
  KeptReward kept_;
  ReplayBuffer buffer_;
  bool begun_ = false;
  std::vector<double> observation_;
  std::vector<double> next_observation_;
  std::vector<double> reward_;
};

}  // namespace paretofl
