#pragma once

#include <span>
#include <string>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/core/record.h"
#include "paretofl/objectives/preference.h"

namespace paretofl {

/// Weights [M] drawn uniformly from the simplex.
void draw_weights(Random& random, std::span<float> weights);

/// The preference that an agent with a network for all preferences acts under while it explores: one drawn for each episode, or the
/// client's own in all of them.
class EpisodePreference {
 public:
  /// `acting`: "drawn" or "own".
  EpisodePreference(const Preference& own, const std::string& acting);

  /// An episode begins at the next step.
  void begin_episode() { draws_next_ = drawn_; }
  /// The weights [M] of the step that is to be taken.
  std::span<const float> at_step(Random& explore);

  /// Into `state`, as "acting" and "draws_next".
  void save(Record& state) const;
  /// Throws Error on a state that save() cannot have written.
  void load(const Record& state);

 private:
  bool drawn_;
  bool draws_next_ = false;
  std::vector<float> weights_;  // [M]
};

}  // namespace paretofl
