#include "paretofl/strategies/learner_client.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/strategies/objective_holders.h"

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
  check_all_objectives("personalized models", workload);
  const std::vector<int> own = workload.own_clients();
  if (!own.empty()) workload.learner(own.front(), options);  // so that bad options are found before any round
  return [options, &workload](int client) { return std::make_unique<LearnerClient>(workload.learner(client, options)); };
}

void read_trained_model(const Reply& reply, std::span<float> theta) {
  expect(reply.update.size() == theta.size(), "client {}: expected a model of {} parameters, found {}", reply.client, theta.size(),
         reply.update.size());
  expect(std::all_of(reply.update.begin(), reply.update.end(), [](float x) { return std::isfinite(x); }),
         "client {}: expected a model of finite numbers, found one that is not finite", reply.client);
  expect(std::isfinite(reply.num_samples) && reply.num_samples > 0, "client {}: expected a positive number of samples, found {}",
         reply.client, reply.num_samples);
  std::copy(reply.update.begin(), reply.update.end(), theta.begin());
}

}  // namespace paretofl
