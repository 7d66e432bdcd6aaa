#include "paretofl/scalarized/private_fedavg.h"

#include "paretofl/aggregators/mean.h"
#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/core/error.h"
#include "paretofl/rounds/learner_client.h"

namespace paretofl {
namespace {

class PrivateFedAvgServer : public ServerHalf {
 public:
  PrivateFedAvgServer(const FedAvgOptions& options, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        optimizer_(make_server_optimizer(options.server_optimizer)),
        objectives_(workload.num_objectives()),
        models_(workload.initial_parameters(), workload.num_clients()),
        trained_(models_) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.base.cohort_size));
    Replies replies = round.broadcast(cohort, Request("train").with(global));
    Exclusions exclusions;
    aggregation_.keep_usable(replies, global.size(), 0, exclusions);
    keep_trained_models(replies, global.size(), objectives_, exclusions);
    aggregation_.expect_enough(replies.size());
    ClientModels trained(global, models_.size());
    const std::span<const float> sent = std::as_const(global).values();
    for (Reply& reply : replies) {
      std::copy(reply.update.begin(), reply.update.end(), trained.of(reply.client).begin());
      for (std::size_t j = 0; j < global.size(); ++j) reply.update[j] = sent[j] - reply.update[j];
    }
    Metrics metrics;
    exclusions.record(metrics);
    if (all_have_losses(replies)) metrics.set("train_loss", aggregation_.losses(replies, objectives_));
    optimizer_->apply(aggregation_.combine(replies, global.size()), global);
    models_ = ClientModels(global, models_.size());
    trained_ = std::move(trained);
    return metrics;
  }

  const ClientModels* client_models() const override { return options_.fine_tune ? &trained_ : &models_; }
  const ClientModels* fine_tuned_models() const override { return options_.fine_tune ? nullptr : &trained_; }

  void save(Record& state) const override {
    optimizer_->save(state);
    state.records.emplace("models", models_.save());
    state.records.emplace("trained", trained_.save());
  }
  void load(const Record& state) override {
    optimizer_->load(state);
    models_.load(state.record("models"));
    trained_.load(state.record("trained"));
  }

 private:
  FedAvgOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<ServerOptimizer> optimizer_;
  std::size_t objectives_;  ///< M
  ClientModels models_;     ///< the global model, once per client
  ClientModels trained_;    ///< as the clients trained it last
};

}  // namespace

Strategy make_private_fedavg(const FedAvgOptions& options, const Workload& workload) {
  return {.server = std::make_unique<PrivateFedAvgServer>(options, workload),
          .client = learner_clients(workload, options.base.local),
          .gradients_per_round = options.base.local.local_steps};
}

}  // namespace paretofl
