#include "paretofl/scalarized/fedavg.h"

#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/core/error.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/rounds/weighted_training.h"
#include "paretofl/scalarized/private_fedavg.h"
#include "paretofl/scalarized/scalarized.h"

namespace paretofl {
namespace {

class FedAvgServer : public ServerHalf {
 public:
  FedAvgServer(const FedAvgOptions& options, std::vector<double> lambda)
      : options_(options),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        optimizer_(make_server_optimizer(options.server_optimizer)),
        lambda_(std::move(lambda)) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    Exclusions exclusions;
    const WeightedTraining training = train_cohort(round, cohort, global, lambda_, aggregation_, exclusions);
    optimizer_->apply(training.update, global);
    Metrics metrics = Metrics().with("train_loss", training.losses).with("lambda", lambda_);
    exclusions.record(metrics);
    return metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean(); }
  bool works_on_noised_sums() const override { return works_on_sums() && !aggregation_.by_samples(); }

  void save(Record& state) const override { optimizer_->save(state); }
  void load(const Record& state) override { optimizer_->load(state); }

 private:
  FedAvgOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<ServerOptimizer> optimizer_;
  std::vector<double> lambda_;
};

class FedAvgClient : public ClientHalf {
 public:
  FedAvgClient(const FedAvgOptions& options, const Workload& workload, int client)
      : local_(options.local), halving_(options.halving), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == "train", "fedavg client: expected the verb train, found '{}'", request.verb);
    return train_client(halving_.in_round(local_, request.round), *workload_.oracle(client_), request, stream);
  }

 private:
  LocalTrainingOptions local_;
  RateHalving halving_;
  const Workload& workload_;
  int client_;
};

}  // namespace

void FedAvgOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  local.describe(visit);
  halving.describe(visit);
  visit.reals("objective_weights", objective_weights, 0, kInfinity, "fixed lambda, scaled to sum to one; empty: uniform");
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("server_optimizer", server_optimizer, server_optimizers(), "how the server applies the mean update");
  visit.boolean("private_preferences", private_preferences, "clients train under their own preferences, which the server never sees");
  visit.boolean("fine_tune", fine_tune,
                "the run's models are the clients' models after the last local training (+FT); needs private_preferences and all clients "
                "in the cohort");
}

Strategy make_fedavg(const FedAvgOptions& options, const Workload& workload) {
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  if (options.private_preferences) {
    expect(options.objective_weights.empty(), "strategy.objective_weights: expected none with private_preferences, found {}",
           options.objective_weights.size());
    expect(options.halving.every == 0, "strategy.halve_client_lr_every: expected 0 with private_preferences, found {}",
           options.halving.every);
    expect(!options.fine_tune || options.cohort_size == workload.num_clients(),
           "strategy.cohort_size: expected all {} clients with fine_tune, found {}", workload.num_clients(), options.cohort_size);
    return make_private_fedavg(options, workload);
  }
  check_gradients("strategy without private_preferences", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  expect(!options.fine_tune, "strategy.fine_tune: expected private_preferences = true with it, found false");
  const std::vector<double> lambda = scaled_objective_weights(options.objective_weights, workload);
  return {.server = std::make_unique<FedAvgServer>(options, lambda),
          .client = [options, &workload](int client) { return std::make_unique<FedAvgClient>(options, workload, client); },
          .gradients_per_round = options.local.local_steps};
}

}  // namespace paretofl
