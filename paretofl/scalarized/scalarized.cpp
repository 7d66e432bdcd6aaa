#include "paretofl/scalarized/scalarized.h"

#include <algorithm>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/local/partial_oracle.h"
#include "paretofl/objectives/preference.h"
#include "paretofl/rounds/objective_holders.h"

namespace paretofl {
namespace {

constexpr const char* kTraining = "train";  ///< the stream of a client's minibatches

}  // namespace

void ScalarizedOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  local.describe(visit);
  halving.describe(visit);
  visit.reals("objective_weights", objective_weights, 0, kInfinity, "fixed lambda, scaled to sum to one; empty: uniform");
}

std::vector<double> scaled_objective_weights(const std::vector<double>& weights, const Workload& workload) {
  std::vector<double> lambda = weights;
  if (lambda.empty()) lambda.assign(workload.num_objectives(), 1);
  expect(lambda.size() == workload.num_objectives(), "strategy.objective_weights: expected {} numbers, found {}", workload.num_objectives(),
         lambda.size());
  expect(std::any_of(lambda.begin(), lambda.end(), [](double weight) { return weight > 0; }),
         "strategy.objective_weights: expected at least one positive number, found only zeros");
  const Preference scaled(std::move(lambda), workload.num_objectives());
  return {scaled.weights().begin(), scaled.weights().end()};
}

std::vector<double> check_scalarized(const char* strategy, const ScalarizedOptions& options, const Workload& workload) {
  check_gradients(strategy, workload);
  check_all_objectives(strategy, workload);
  check_cohort_size(options.cohort_size, workload);
  return scaled_objective_weights(options.objective_weights, workload);
}

void check_plain_sgd(const char* strategy, const LocalTrainingOptions& options) {
  expect(options.optimizer == "sgd", "strategy.optimizer: expected sgd with {}, which computes gradients from local steps, found {}",
         strategy, options.optimizer);
  expect(options.client_lr > 0, "strategy.client_lr: expected a positive number with {}, found {}", strategy, options.client_lr);
}

void describe_client_losses(OptionVisitor& visit, std::string& losses) {
  visit.choice("losses", losses, {"minibatch", "local"},
               "the clients' losses at the model they are sent: of the first minibatch, in training mode, or on all of a client's data");
}

double scalarized(std::span<const double> losses, std::span<const double> lambda) {
  double sum = 0;
  for (std::size_t k = 0; k < lambda.size(); ++k) sum += lambda[k] * losses[k];
  return sum;
}

ScalarizedClient::ScalarizedClient(const ScalarizedOptions& options, const Workload& workload, int client, std::string losses,
                                   Finish finish)
    : options_(options), workload_(workload), client_(client), losses_(std::move(losses)), finish_(std::move(finish)) {}

Reply ScalarizedClient::handle(const Request& request, StreamId stream) {
  expect(request.verb == "train", "client: expected the verb train, found '{}'", request.verb);
  const auto oracle = workload_.oracle(client_);
  const auto theta = request.theta(oracle->layout()->size());
  const auto lambda = request.lambda(oracle->num_objectives());
  const LocalTrainingOptions local = options_.halving.in_round(options_.local, request.round);
  const Random draws(stream, kTraining);
  std::vector<double> start_losses;
  if (losses_ == "local") start_losses = oracle->local_losses(theta);
  const HeldWeights held = held_weights(lambda, workload_.objective_factors(client_));
  LocalUpdate trained =
      train_locally(local, theta, lambda.size(), [&](std::int64_t step, auto at, std::span<double> losses, std::span<float> gradient) {
        oracle->weighted_gradient(at, held.weights, {draws, step}, losses, gradient);
        if (step == 0 && losses_ == "minibatch") start_losses.assign(losses.begin(), losses.end());
      });
  trained.scale_update(held.scale);
  Reply reply = to_reply(std::move(trained), *oracle);
  if (!losses_.empty()) reply.extra.arrays.emplace(kStartLosses, Array(std::span<const double>(start_losses)));
  if (finish_) finish_(request, local, reply);
  return reply;
}

std::vector<double> ScalarizedClient::losses_at(std::span<const float> theta, std::span<const double> lambda, StreamId stream) const {
  const auto oracle = workload_.oracle(client_);
  if (losses_ == "local") return oracle->local_losses(theta);
  std::vector<double> losses(oracle->num_objectives());
  std::vector<float> gradient(theta.size());
  oracle->weighted_gradient(theta, lambda, {Random(stream, kTraining), 0}, losses, gradient);
  return losses;
}

}  // namespace paretofl
