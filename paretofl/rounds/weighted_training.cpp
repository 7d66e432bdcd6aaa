#include "paretofl/rounds/weighted_training.h"

#include <utility>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/local/partial_oracle.h"

namespace paretofl {

WeightedTraining train_cohort(Round& round, const Cohort& cohort, const Parameters& global, const std::vector<double>& lambda,
                              const Aggregation& aggregation, Exclusions& exclusions, const char* verb) {
  WeightedTraining training;
  if (round.sums_only()) {
    CohortMean mean = round.sum(
        cohort, Request(verb).with(global).with_objective_weights(lambda),
        {.by_samples = aggregation.by_samples(), .update = global.size(), .losses = lambda.size(), .loss_use = {.needed = false}});
    return {std::move(mean.update), std::move(mean.losses), {}};
  }
  ArrivingUpdates update(aggregation, exclusions, global.size(), lambda.size(), cohort.size());
  training.replies =
      round.broadcast(cohort, Request(verb).with(global).with_objective_weights(lambda), [&](Reply& reply) { update.add(reply); });
  update.keep_usable(training.replies);
  training.update = update.take();
  training.losses = aggregation.losses(training.replies, lambda.size());
  return training;
}

Reply train_client(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const double> factors,
                   const Request& request, StreamId stream) {
  const auto theta = request.theta(oracle.layout()->size());
  const auto [weights, scale] = held_weights(request.lambda(oracle.num_objectives()), factors);
  LocalUpdate local = train_locally(options, oracle, theta, weights, Random(stream, "train"));
  local.scale_update(scale);
  return to_reply(std::move(local), oracle);
}

}  // namespace paretofl
