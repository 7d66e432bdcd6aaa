#include "paretofl/strategies/weighted_training.h"

namespace paretofl {

WeightedTraining train_cohort(Round& round, const Cohort& cohort, const Parameters& global, const std::vector<double>& lambda,
                              ClientWeighting weighting, const char* verb) {
  WeightedTraining training;
  if (round.sums_only()) {
    CohortMean mean = round.sum(cohort, Request(verb).with(global.values()).with_objective_weights(lambda),
                                {.by_samples = weighting == ClientWeighting::kSamples, .update = global.size(), .losses = lambda.size()});
    return {std::move(mean.update), std::move(mean.losses), {}};
  }
  ArrivingMean update(global.size(), weighting, cohort.size());
  training.replies =
      round.broadcast(cohort, Request(verb).with(global.values()).with_objective_weights(lambda), [&](Reply& reply) { update.add(reply); });
  training.update = update.take();
  training.losses = mean_losses(training.replies, lambda.size(), weighting);
  return training;
}

Reply train_client(const LocalTrainingOptions& options, const GradientOracle& oracle, const Request& request, StreamId stream) {
  const auto theta = request.theta(oracle.layout()->size());
  const auto lambda = request.lambda(oracle.num_objectives());
  return to_reply(train_locally(options, oracle, theta, lambda, Random(stream, "train")), oracle);
}

}  // namespace paretofl
