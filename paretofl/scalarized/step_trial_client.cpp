#include "paretofl/scalarized/step_trial_client.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

std::vector<float> stepped(std::span<const float> theta, double step, std::span<const float> direction) {
  const auto rate = static_cast<float>(step);
  std::vector<float> to(theta.begin(), theta.end());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] -= rate * direction[i];
  return to;
}

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
  Reply reply;
  reply.losses = trainer_.losses_at(stepped(*theta_, step, *direction_), lambda_, stream);
  return reply;
}

void StepTrialClient::end_round() noexcept {
  theta_.reset();
  direction_.reset();
  lambda_.clear();
}

}  // namespace paretofl
