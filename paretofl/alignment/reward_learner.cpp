#include "paretofl/alignment/reward_learner.h"

namespace paretofl {

RewardLearner::RewardLearner(LocalTrainingOptions options, std::unique_ptr<RewardSteps> steps)
    : options_(std::move(options)), steps_(std::move(steps)) {
  steps_->expect_local_steps(options_.local_steps);
}

LearnerReport RewardLearner::train(std::span<float> theta, StreamId stream) {
  steps_->start_round(stream);
  const std::size_t rewards = steps_->reward_names().size();
  const std::vector<double> weights(rewards, 1 / static_cast<double>(rewards));
  const LocalUpdate local = train_locally(options_, theta, 1, [&](std::int64_t step, auto at, auto losses, auto gradient) {
    losses[0] = steps_->step(step, at, weights, gradient, {});
  });
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= local.update[i];
  return {.num_samples = steps_->num_samples(), .losses = {}};
}

}  // namespace paretofl
