#include "paretofl/strategies/learner_client.h"

#include <algorithm>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/core/error.h"

namespace paretofl {

Reply LearnerClient::handle(const Request& request, StreamId stream) {
  expect(request.verb == "train", "personalized client: expected the verb train, found '{}'", request.verb);
  const auto theta = request.theta(learner_->layout()->size());
  Reply reply;
  reply.update.assign(theta.begin(), theta.end());
  LearnerReport report = learner_->train(reply.update, stream);
  reply.num_samples = report.num_samples;
  reply.losses = std::move(report.losses);
  return reply;
}

ClientFactory learner_clients(const Workload& workload, const LocalTrainingOptions& options) {
  const std::vector<int> own = workload.own_clients();
  if (!own.empty()) workload.learner(own.front(), options);  // so that bad options are found before any round
  return [options, &workload](int client) { return std::make_unique<LearnerClient>(workload.learner(client, options)); };
}

void keep_trained_models(Replies& replies, std::size_t size, std::size_t objectives, Exclusions& exclusions) {
  const Aggregation of_models({}, ClientWeighting::kSamples);
  std::erase_if(replies.replies, [&](const Reply& reply) {
    const std::optional<Fault> fault = of_models.fault(reply, size, reply.losses.empty() ? 0 : objectives);
    if (fault) exclusions.add(reply.client, *fault);
    return fault.has_value();
  });
  of_models.expect_enough(replies.size());
}

bool all_have_losses(const Replies& replies) {
  return std::none_of(replies.begin(), replies.end(), [](const Reply& reply) { return reply.losses.empty(); });
}

}  // namespace paretofl
