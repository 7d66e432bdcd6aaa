#include "paretofl/strategies/fedcmoo_theory.h"

#include <cmath>

#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/simplex_projection.h"
#include "paretofl/rounds/kept_lambda.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/rounds/weighted_training.h"

namespace paretofl {
namespace {

double inner_product(std::span<const float> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// Options with no default left to the theory.
FedCmooTheoryOptions completed(FedCmooTheoryOptions options, std::size_t objectives) {
  const auto tau = static_cast<double>(options.local_steps);
  const auto rounds = static_cast<double>(options.horizon);
  if (options.sketch_cohort_size == 0) options.sketch_cohort_size = options.cohort_size;
  if (options.client_lr == 0) options.client_lr = 1 / (options.smoothness * tau * std::sqrt(tau * rounds));
  if (options.server_lr == 0) options.server_lr = std::sqrt(tau);
  if (options.beta == -1) options.beta = 1 / (static_cast<double>(objectives) * std::sqrt(rounds));
  return options;
}

class FedCmooTheoryServer : public ServerHalf {
 public:
  FedCmooTheoryServer(const FedCmooTheoryOptions& options, std::shared_ptr<const Compressor> compressor, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, ClientWeighting::kUniform),
        compressor_(std::move(compressor)),
        lambda_(workload.num_objectives()),
        workload_(workload) {}

  Metrics run_round(Round& round, Parameters& global) override {
    Exclusions exclusions;
    const std::vector<float> first = mean_jacobian(round, global, 1, exclusions);
    const std::vector<float> second = mean_jacobian(round, global, 2, exclusions);
    const std::vector<double> lambda = next_weights(first, second);
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    const WeightedTraining training = train_cohort(round, cohort, global, lambda, aggregation_, exclusions);
    global.step(options_.server_lr, training.update);
    lambda_.set(lambda);
    Metrics metrics = Metrics().with("train_loss", training.losses).with("lambda", lambda);
    exclusions.record(metrics);
    return metrics;
  }

  void save(Record& state) const override { lambda_.save(state); }
  void load(const Record& state) override { lambda_.load(state); }

 private:
  /// Y(x, zeta_j) of Algorithm 9, [M, d]; by another aggregator than the mean, the jacobians combined objective by objective.
  std::vector<float> mean_jacobian(Round& round, const Parameters& global, int set, Exclusions& exclusions) const {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.sketch_cohort_size));
    Request request = Request("sketch_jacobian").with(global);
    request.extra.scalars.emplace("set", set);
    Replies sketches = round.broadcast(cohort, request);
    const std::size_t size = lambda_.size() * global.size();
    if (!aggregation_.is_mean()) {
      for (Reply& reply : sketches) reply.update = rebuilt(reply);
      aggregation_.keep_usable(sketches, size, 0, exclusions);
      return aggregation_.combine(sketches, size, lambda_.size());
    }
    std::vector<float> mean;
    for (std::size_t answers = 0; answers != sketches.size();) {  // again without those that cannot be used
      answers = sketches.size();
      mean.assign(size, 0);
      std::erase_if(sketches.replies, [&](Reply& reply) {
        reply.update = rebuilt(reply);
        const std::optional<Fault> fault = aggregation_.fault(reply, size, 0);
        if (fault) exclusions.add(reply.client, *fault);
        for (std::size_t j = 0; !fault && j < size; ++j) mean[j] += reply.update[j] / static_cast<float>(answers);
        reply.update = {};
        return fault.has_value();
      });
      aggregation_.expect_enough(sketches.size());
    }
    expect_holders(round, sketches.cohort(), workload_);
    return mean;
  }

  /// A client's jacobian [M, d]; empty if its sketch cannot be read.
  std::vector<float> rebuilt(const Reply& reply) const {
    const std::size_t size = workload_.layout()->size();
    std::vector<float> jacobian(lambda_.size() * size);
    try {
      for (std::size_t k = 0; k < lambda_.size(); ++k) {
        compressor_->reconstruct(reply.extra.record(std::to_string(k)), 1, std::span(jacobian).subspan(k * size, size));
      }
    } catch (const Error&) {
      return {};
    }
    return jacobian;
  }

  /// lambda - beta Y_1 (Y_2^T lambda), projected.
  std::vector<double> next_weights(std::span<const float> first, std::span<const float> second) const {
    const std::size_t dimension = first.size() / lambda_.size();
    std::vector<double> combined(dimension);  // Y_2^T lambda
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
      for (std::size_t j = 0; j < dimension; ++j) combined[j] += lambda_.values()[k] * static_cast<double>(second[k * dimension + j]);
    }
    std::vector<double> next = lambda_.values();
    for (std::size_t k = 0; k < next.size(); ++k) {
      next[k] -= options_.beta * inner_product(first.subspan(k * dimension, dimension), combined);
      expect(std::isfinite(next[k]), "fedcmoo_theory: expected finite weights, found {} for objective {}", next[k], k);
    }
    std::vector<double> scratch(next.size());
    project_onto_simplex(next, scratch);
    return next;
  }

  FedCmooTheoryOptions options_;
  Aggregation aggregation_;
  std::shared_ptr<const Compressor> compressor_;
  KeptLambda lambda_;
  const Workload& workload_;
};

class FedCmooTheoryClient : public ClientHalf {
 public:
  FedCmooTheoryClient(const FedCmooTheoryOptions& options, std::shared_ptr<const Compressor> compressor, const Workload& workload,
                      int client)
      : local_({.local_steps = options.local_steps, .client_lr = options.client_lr}),
        compressor_(std::move(compressor)),
        workload_(workload),
        client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    const auto oracle = workload_.oracle(client_);
    if (request.verb == "sketch_jacobian") return sketch(*oracle, request, stream);
    expect(request.verb == "train", "fedcmoo_theory client: expected sketch_jacobian or train; found '{}'", request.verb);
    return train_client(local_, *oracle, workload_.objective_factors(client_), request, stream);
  }

 private:
  Reply sketch(const GradientOracle& oracle, const Request& request, StreamId stream) const {
    const auto theta = request.theta(oracle.layout()->size());
    const auto set = static_cast<std::uint64_t>(request.extra.scalar("set"));
    const Random draws = Random(stream, "jacobian").substream("set", set);
    const SampledJacobian jacobian = sample_jacobian(oracle, theta, false, draws);
    Reply reply;
    reply.num_samples = oracle.num_samples();
    for (std::size_t k = 0; k < oracle.num_objectives(); ++k) {
      const auto row = std::span(jacobian.rows).subspan(k * theta.size(), theta.size());
      reply.extra.records.emplace(std::to_string(k), compressor_->compress(row, 1, draws.substream("sketch", k)));
    }
    return reply;
  }

  LocalTrainingOptions local_;
  std::shared_ptr<const Compressor> compressor_;
  const Workload& workload_;
  int client_;
};

}  // namespace

void FedCmooTheoryOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients that train per round (n)");
  visit.integer("sketch_cohort_size", sketch_cohort_size, 0, kMaxInt, "clients in each of the two cohorts that sketch (n'); 0: n");
  aggregation.describe(visit);
  visit.integer("local_steps", local_steps, 1, kMaxInt, "local SGD steps of a client per round (tau)");
  visit.integer("horizon", horizon, 1, kMaxInt, "rounds T that the default step sizes are for");
  visit.real("smoothness", smoothness, 1e-12, kInfinity,
             "Lipschitz constant L of the gradients, from which the default step sizes are computed");
  visit.real("client_lr", client_lr, 0, kInfinity, "learning rate of the local steps (eta_c); 0: 1 / (L tau sqrt(tau T))");
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate (eta_s); 0: sqrt(tau)");
  visit.real("beta", beta, -1, kInfinity, "step size of lambda; -1: 1 / (M sqrt(T))");
  visit.component("compressor", compressor, compressors(), "how clients send each objective's gradient; unbiased in the theorem");
}

Strategy make_fedcmoo_theory(const FedCmooTheoryOptions& options, const Workload& workload) {
  check_gradients("fedcmoo_theory", workload);
  check_cohort_size(options.cohort_size, workload);
  check_cohort_size(options.sketch_cohort_size, workload);
  for (const std::int64_t size : {options.cohort_size, options.sketch_cohort_size}) {
    if (size > 0) check_aggregation({options.aggregation, ClientWeighting::kUniform}, size, workload);
  }
  expect(options.beta >= 0 || options.beta == -1, "config: expected strategy.beta of -1, or of at least 0, found {}", options.beta);
  const std::shared_ptr<const Compressor> compressor = make_compressor(options.compressor);
  expect(compressor->protocol() == GramianProtocol::kOneWay,
         "config: expected a one-way compressor of jacobians for fedcmoo_theory, found '{}' with its options", options.compressor.name);
  const FedCmooTheoryOptions complete = completed(options, workload.num_objectives());
  return {.server = std::make_unique<FedCmooTheoryServer>(complete, compressor, workload),
          .client = [complete, compressor,
                     &workload](int client) { return std::make_unique<FedCmooTheoryClient>(complete, compressor, workload, client); },
          .gradients_per_round = 2 * static_cast<std::int64_t>(workload.num_objectives()) + complete.local_steps};
}

}  // namespace paretofl
