#include "paretofl/local/steps_learner.h"

#include "paretofl/core/error.h"

namespace paretofl {

StepsLearner::StepsLearner(LocalTrainingOptions options, std::unique_ptr<ObjectiveSteps> steps, Preference preference)
    : options_(std::move(options)), steps_(std::move(steps)), preference_(std::move(preference)) {
  expect(preference_.size() == steps_->num_objectives(), "learner: expected a preference over {} objectives, found {}",
         steps_->num_objectives(), preference_.size());
}

LearnerReport StepsLearner::train(std::span<float> theta, StreamId stream) {
  steps_->start_round(stream);
  const auto weights = preference_.weights();
  const std::vector<double> lambda(weights.begin(), weights.end());
  const ObjectiveTraining trained =
      train_on_objectives(options_, *steps_, theta, first_jacobian(*steps_, theta), false, [&](const Gramian&, auto) { return lambda; });
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= trained.local.update[i];
  return {.num_samples = steps_->num_samples(), .losses = trained.local.losses};
}

}  // namespace paretofl
