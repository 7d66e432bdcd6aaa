#pragma once

#include "paretofl/local/learner.h"
#include "paretofl/local/local_training.h"
#include "paretofl/objectives/preference.h"

namespace paretofl {

/// Local steps (local_training.h) on the scalarized loss sum_k w_k f_k of a private preference w. Keeps no state.
class SgdLearner : public Learner {
 public:
  /// `factors` are those of the oracle if it is a PartialOracle, otherwise none: the client then trains on its own f_k, and tells its
  /// losses times these, as others do. Throws Error unless the preference has one number per objective.
  SgdLearner(LocalTrainingOptions options, std::unique_ptr<GradientOracle> oracle, const Preference& preference,
             std::span<const double> factors = {});

  const std::shared_ptr<const Layout>& layout() const override { return oracle_->layout(); }
  LearnerReport train(std::span<float> theta, StreamId stream) override;

 private:
  LocalTrainingOptions options_;
  std::unique_ptr<GradientOracle> oracle_;
  std::vector<double> weights_;  ///< [M], of the losses of the oracle
};

}  // namespace paretofl
