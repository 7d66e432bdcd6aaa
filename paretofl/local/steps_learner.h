#pragma once

#include "paretofl/local/learner.h"
#include "paretofl/local/objective_training.h"
#include "paretofl/objectives/preference.h"

namespace paretofl {

/// Local steps (objective_steps.h) along the gradient of sum_k w_k f_k for a private preference w.
class StepsLearner : public Learner {
 public:
  /// Throws Error unless the preference has one number per objective.
  StepsLearner(LocalTrainingOptions options, std::unique_ptr<ObjectiveSteps> steps, Preference preference);

  const std::shared_ptr<const Layout>& layout() const override { return steps_->layout(); }
  LearnerReport train(std::span<float> theta, StreamId stream) override;
  void save(Record& state) const override { steps_->save(state); }
  void load(const Record& state) override { steps_->load(state); }

 private:
  LocalTrainingOptions options_;
  std::unique_ptr<ObjectiveSteps> steps_;
  Preference preference_;
};

}  // namespace paretofl
