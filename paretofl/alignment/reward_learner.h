#pragma once

#include "paretofl/local/learner.h"
#include "paretofl/local/local_training.h"
#include "paretofl/local/reward_steps.h"

namespace paretofl {

/// Local steps (reward_steps.h) on the mean of a client's own rewards.
class RewardLearner : public Learner {
 public:
  /// Throws Error unless the options' local steps are such as `steps` expects.
  RewardLearner(LocalTrainingOptions options, std::unique_ptr<RewardSteps> steps);

  const std::shared_ptr<const Layout>& layout() const override { return steps_->layout(); }
  LearnerReport train(std::span<float> theta, StreamId stream) override;

 private:
  LocalTrainingOptions options_;
  std::unique_ptr<RewardSteps> steps_;
};

}  // namespace paretofl
