#include "paretofl/scalarized/fedavg.h"

#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/core/error.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/rounds/weighted_training.h"
#include "paretofl/scalarized/private_fedavg.h"

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
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.base.cohort_size));
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

}  // namespace

void FedAvgOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("server_optimizer", server_optimizer, server_optimizers(), "how the server applies the mean update");
  visit.boolean("private_preferences", private_preferences, "clients train under their own preferences, which the server never sees");
  visit.boolean("fine_tune", fine_tune,
                "the run's models are the clients' models after the last local training (+FT); needs private_preferences and all clients "
                "in the cohort");
}

Strategy make_fedavg(const FedAvgOptions& options, const Workload& workload) {
  check_cohort_size(options.base.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.base.cohort_size, workload);
  if (options.private_preferences) {
    expect(options.base.objective_weights.empty(), "strategy.objective_weights: expected none with private_preferences, found {}",
           options.base.objective_weights.size());
    expect(options.base.halving.every == 0, "strategy.halve_client_lr_every: expected 0 with private_preferences, found {}",
           options.base.halving.every);
    expect(!options.fine_tune || options.base.cohort_size == workload.num_clients(),
           "strategy.cohort_size: expected all {} clients with fine_tune, found {}", workload.num_clients(), options.base.cohort_size);
    return make_private_fedavg(options, workload);
  }
  check_gradients("strategy without private_preferences", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  expect(!options.fine_tune, "strategy.fine_tune: expected private_preferences = true with it, found false");
  const std::vector<double> lambda = scaled_objective_weights(options.base.objective_weights, workload);
  return {.server = std::make_unique<FedAvgServer>(options, lambda),
          .client = [base = options.base, &workload](int client) { return std::make_unique<ScalarizedClient>(base, workload, client); },
          .gradients_per_round = options.base.local.local_steps};
}

}  // namespace paretofl
