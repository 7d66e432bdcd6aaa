#include "paretofl/scalarized/feddyn.h"

#include <cmath>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/core/error.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/scalarized/corrected_training.h"
#include "paretofl/scalarized/counted_replies.h"
#include "paretofl/scalarized/kept_vector.h"
#include "paretofl/scalarized/pending_change.h"

namespace paretofl {
namespace {

class FedDynServer : public ServerHalf {
 public:
  FedDynServer(const FedDynOptions& options, std::vector<double> lambda, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, ClientWeighting::kUniform),
        lambda_(std::move(lambda)),
        h_("h", workload.layout()->size()),
        replies_(workload.num_clients()) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.base.cohort_size));
    Request request = Request("train").with(global).with_objective_weights(lambda_);
    replies_.tell(cohort, request);
    Exclusions exclusions;
    const CohortMean mean =
        combine_cohort(round, cohort, request, global.size(), lambda_.size(), aggregation_, exclusions, 1, {.needed = false});
    replies_.count(mean.cohort, round.number());
    add_scaled(h_.values(), options_.alpha * mean.weight / round.num_clients(), mean.update);
    global.step(1, mean.update);
    global.step(1 / options_.alpha, h_.values());
    Metrics metrics =
        Metrics().with("train_loss", mean.losses).with("lambda", lambda_).with("correction_norm", std::sqrt(squared_norm(h_.values())));
    exclusions.record(metrics);
    return metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean(); }
  bool works_on_noised_sums() const override { return false; }

  void save(Record& state) const override {
    h_.save(state);
    replies_.save(state);
  }
  void load(const Record& state) override {
    h_.load(state);
    replies_.load(state);
  }

 private:
  FedDynOptions options_;
  Aggregation aggregation_;
  std::vector<double> lambda_;  ///< [M]
  KeptVector h_;
  CountedReplies replies_;
};

class FedDynClient : public ClientHalf {
 public:
  FedDynClient(const FedDynOptions& options, const Workload& workload, int client)
      : options_(options), workload_(workload), client_(client), gradient_("gradient", workload.layout()->size(), options.alpha) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == "train", "feddyn client: expected the verb train, found '{}'", request.verb);
    const auto oracle = workload_.oracle(client_);
    const auto theta = request.theta(oracle->layout()->size());
    const auto lambda = request.lambda(oracle->num_objectives());
    LocalTrainingOptions local = options_.base.halving.in_round(options_.base.local, request.round);
    local.proximal = options_.alpha;
    std::vector<float> correction(theta.size());
    add_scaled(correction, -1, gradient_.settled(request, client_));
    Reply reply = to_reply(train_corrected(local, *oracle, theta, lambda, correction, stream), *oracle);
    gradient_.add(reply.update, request.round);
    return reply;
  }

  void save(Record& state) const override { gradient_.save(state); }
  void load(const Record& state) override { gradient_.load(state); }

 private:
  FedDynOptions options_;
  const Workload& workload_;
  int client_;
  PendingChange gradient_;  ///< g_i
};

}  // namespace

void FedDynOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("alpha", alpha, 1e-12, kInfinity, "weight of the dynamic regularizer");
  aggregation.describe(visit);
}

Strategy make_feddyn(const FedDynOptions& options, const Workload& workload) {
  std::vector<double> lambda = check_scalarized("feddyn", options.base, workload);
  check_aggregation({options.aggregation, ClientWeighting::kUniform}, options.base.cohort_size, workload);
  return {.server = std::make_unique<FedDynServer>(options, std::move(lambda), workload),
          .client = [options, &workload](int client) { return std::make_unique<FedDynClient>(options, workload, client); },
          .gradients_per_round = options.base.local.local_steps};
}

}  // namespace paretofl
