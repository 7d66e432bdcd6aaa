#include "paretofl/aggregators/arriving_updates.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace paretofl {

ArrivingUpdates::ArrivingUpdates(const Aggregation& aggregation, Exclusions& exclusions, std::size_t size, std::size_t objectives,
                                 std::size_t cohort, std::size_t parts)
    : aggregation_(aggregation),
      exclusions_(exclusions),
      size_(size),
      objectives_(objectives),
      parts_(parts),
      mean_(aggregation.is_mean() ? size : 0, aggregation.weighting(), cohort) {}

void ArrivingUpdates::add(Reply& reply) {
  if (const std::optional<Fault> fault = aggregation_.fault(reply, size_, objectives_)) {
    exclusions_.add(reply.client, *fault);
    left_out_.push_back(reply.client);
    reply.update = {};
  } else if (aggregation_.is_mean()) {
    mean_.add(reply);
  } else {
    updates_.push_back(std::exchange(reply.update, {}));
    weights_.push_back(aggregation_.weighting() == ClientWeighting::kUniform ? 1 : reply.num_samples);
  }
}

void ArrivingUpdates::keep_usable(Replies& replies) const {
  std::erase_if(replies.replies,
                [&](const Reply& reply) { return std::find(left_out_.begin(), left_out_.end(), reply.client) != left_out_.end(); });
  aggregation_.expect_enough(replies.size());
}

std::vector<float> ArrivingUpdates::take() {
  if (aggregation_.is_mean()) return mean_.take();
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight /= total;
  const std::vector<std::span<const float>> vectors(updates_.begin(), updates_.end());
  return aggregation_.combine(vectors, weights_, parts_);
}

CohortMean combine_cohort(Round& round, const Cohort& cohort, const Request& request, std::size_t size, std::size_t objectives,
                          const Aggregation& aggregation, Exclusions& exclusions, std::size_t parts, const LossUse& loss_use,
                          const OnReply& unpack) {
  if (round.sums_only()) {
    return round.sum(cohort, request,
                     {.by_samples = aggregation.by_samples(), .update = size, .losses = objectives, .parts = parts, .loss_use = loss_use});
  }
  ArrivingUpdates arriving(aggregation, exclusions, size, objectives, cohort.size(), parts);
  Replies replies = round.broadcast(cohort, request, [&](Reply& reply) {
    if (unpack) unpack(reply);
    arriving.add(reply);
  });
  arriving.keep_usable(replies);
  CohortMean combined;
  combined.cohort = replies.cohort();
  for (const Reply& reply : replies) combined.weight += aggregation.by_samples() ? reply.num_samples : 1;
  combined.update = arriving.take();
  combined.losses = aggregation.losses(replies, objectives);
  return combined;
}

}  // namespace paretofl
