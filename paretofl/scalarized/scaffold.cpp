#include "paretofl/scalarized/scaffold.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

constexpr const char* kControl = "control";

class ScaffoldServer : public ServerHalf {
 public:
  ScaffoldServer(const ScaffoldOptions& options, std::vector<double> lambda, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, ClientWeighting::kUniform),
        lambda_(std::move(lambda)),
        control_(kControl, workload.layout()->size()),
        replies_(workload.num_clients()) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.base.cohort_size));
    Request request = Request("train").with(global).with_objective_weights(lambda_);
    request.extra.arrays.emplace(kControl, Array(std::as_const(control_).values()));
    replies_.tell(cohort, request);
    Exclusions exclusions;
    const CohortMean mean =
        combine_cohort(round, cohort, request, 2 * global.size(), lambda_.size(), aggregation_, exclusions, 2, {.needed = false});
    replies_.count(mean.cohort, round.number());
    const std::span<const float> both = mean.update;  // the update and the change of the control variate
    global.step(options_.server_lr, both.first(global.size()));
    add_scaled(control_.values(), mean.weight / round.num_clients(), both.last(global.size()));
    Metrics metrics = Metrics()
                          .with("train_loss", mean.losses)
                          .with("lambda", lambda_)
                          .with("control_norm", std::sqrt(squared_norm(std::as_const(control_).values())));
    exclusions.record(metrics);
    return metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean(); }
  bool works_on_noised_sums() const override { return false; }

  void save(Record& state) const override {
    control_.save(state);
    replies_.save(state);
  }
  void load(const Record& state) override {
    control_.load(state);
    replies_.load(state);
  }

 private:
  ScaffoldOptions options_;
  Aggregation aggregation_;
  std::vector<double> lambda_;  ///< [M]
  KeptVector control_;          ///< c
  CountedReplies replies_;
};

class ScaffoldClient : public ClientHalf {
 public:
  ScaffoldClient(const ScalarizedOptions& options, const Workload& workload, int client)
      : options_(options), workload_(workload), client_(client), control_(kControl, workload.layout()->size()) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == "train", "scaffold client: expected the verb train, found '{}'", request.verb);
    const auto oracle = workload_.oracle(client_);
    const auto theta = request.theta(oracle->layout()->size());
    const auto lambda = request.lambda(oracle->num_objectives());
    const auto common = float_array(request.extra, kControl, theta.size());
    const LocalTrainingOptions local = options_.halving.in_round(options_.local, request.round);
    std::vector<float> correction(common.begin(), common.end());
    add_scaled(correction, -1, control_.settled(request, client_));
    Reply reply = to_reply(train_corrected(local, *oracle, theta, lambda, correction, stream), *oracle);
    const double length = local.path_length();
    std::vector<float> change(theta.size());
    for (std::size_t j = 0; j < change.size(); ++j) change[j] = static_cast<float>(reply.update[j] / length) - common[j];
    reply.update.insert(reply.update.end(), change.begin(), change.end());
    control_.add(std::move(change), request.round);
    return reply;
  }

  void save(Record& state) const override { control_.save(state); }
  void load(const Record& state) override { control_.load(state); }

 private:
  ScalarizedOptions options_;
  const Workload& workload_;
  int client_;
  PendingChange control_;  ///< c_i
};

}  // namespace

void ScaffoldOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("server_lr", server_lr, 0, kInfinity, "global step size (eta_g)");
  aggregation.describe(visit);
}

Strategy make_scaffold(const ScaffoldOptions& options, const Workload& workload) {
  std::vector<double> lambda = check_scalarized("scaffold", options.base, workload);
  check_plain_sgd("scaffold", options.base.local);
  check_aggregation({options.aggregation, ClientWeighting::kUniform}, options.base.cohort_size, workload);
  return {.server = std::make_unique<ScaffoldServer>(options, std::move(lambda), workload),
          .client = [base = options.base, &workload](int client) { return std::make_unique<ScaffoldClient>(base, workload, client); },
          .gradients_per_round = options.base.local.local_steps};
}

}  // namespace paretofl
