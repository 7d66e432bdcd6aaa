#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Plays an environment of discrete actions and remembers the last step.
class Player {
 public:
  explicit Player(std::string_view id, StreamId stream = {.seed = 1})
      : environment(make_environment(id)), observation(environment->spec().observation.size()), reward(environment->num_objectives()) {
    environment->reset(stream, observation);
  }

  StepOutcome play(double action) {
    outcome = environment->step({&action, 1}, observation, reward);
    return outcome;
  }
  void play(double action, int times) {
    for (int i = 0; i < times; ++i) play(action);
  }

  std::unique_ptr<Environment> environment;
  std::vector<double> observation;
  std::vector<double> reward;
  StepOutcome outcome;
};

}  // namespace paretofl
