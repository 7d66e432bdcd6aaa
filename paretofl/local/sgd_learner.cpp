#include "paretofl/local/sgd_learner.h"

#include "paretofl/core/error.h"

namespace paretofl {

SgdLearner::SgdLearner(LocalTrainingOptions options, std::unique_ptr<GradientOracle> oracle, const Preference& preference,
                       std::span<const double> factors)
    : options_(std::move(options)), oracle_(std::move(oracle)), weights_(preference.weights().begin(), preference.weights().end()) {
  expect(preference.size() == oracle_->num_objectives(), "learner: expected a preference over {} objectives, found {}",
         oracle_->num_objectives(), preference.size());
  for (std::size_t k = 0; k < factors.size(); ++k) weights_[k] = factors[k] == 0 ? 0 : weights_[k] / factors[k];
}

LearnerReport SgdLearner::train(std::span<float> theta, StreamId stream) {
  const LocalUpdate local = train_locally(options_, *oracle_, theta, weights_, Random(stream, "train"));
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= local.update[i];
  return {.num_samples = oracle_->num_samples(), .losses = local.losses};
}

}  // namespace paretofl
