#include "paretofl/scalarized/step_trial_client.h"

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/optimization/vectors.h"

namespace paretofl {

StepTrialClient::StepTrialClient(const ScalarizedOptions& options, const Workload& workload, int client, std::string losses)
    : trainer_(options, workload, client, std::move(losses)) {}

Reply StepTrialClient::handle(const Request& request, StreamId stream) {
  if (request.verb == kTryStep) return try_step(request, stream);
  end_round();
  Reply reply = trainer_.handle(request, stream);
  round_ = request.round;
  theta_ = request.parameters;
  lambda_ = request.objective_weights;
  return reply;
}

Reply StepTrialClient::try_step(const Request& request, StreamId stream) {
  expect(theta_ != nullptr && round_ == request.round, "client: expected {} after train in round {}, found no training", kTryStep,
         request.round);
  if (request.parameters != nullptr) {
    request.theta(theta_->size());
    direction_ = request.parameters;
  }
  expect(direction_ != nullptr, "client: expected a direction in the first {} of round {}, found none", kTryStep, request.round);
  const double step = request.extra.scalar(kStep);
  expect(std::isfinite(step), "client: expected a finite {}, found {}", kStep, step);
  std::vector<float> theta = *theta_;
  add_scaled(theta, -step, *direction_);
  Reply reply;
  try {
    reply.losses = trainer_.losses_at(theta, lambda_, stream);
  } catch (const Error&) {
    reply.losses.assign(lambda_.size(), std::numeric_limits<double>::infinity());
  }
  return reply;
}

void StepTrialClient::end_round() noexcept {
  theta_.reset();
  direction_.reset();
  lambda_.clear();
}

}  // namespace paretofl
