#include "paretofl/strategies/fsmgda.h"

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/positive_semidefinite.h"
#include "paretofl/solvers/held_objectives.h"
#include "paretofl/strategies/kept_lambda.h"
#include "paretofl/strategies/objective_holders.h"

namespace paretofl {
namespace {

class FsmgdaServer : public ServerHalf {
 public:
  FsmgdaServer(const FsmgdaOptions& options, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        solver_(make_solver_for(workload, options.solver)),
        lambda_(workload.num_objectives()),
        workload_(workload) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const std::size_t objectives = lambda_.size();
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    Exclusions exclusions;
    const CohortMean mean = combine_cohort(round, cohort, Request("train_each").with(global.values()), objectives * global.size(),
                                           objectives, aggregation_, exclusions, objectives, solver_->loss_use());
    const std::vector<std::size_t> held = held_objectives(mean.cohort, workload_);
    const std::vector<float>& updates = mean.update;  // [M, d]
    const Range part = gramian_part(global.layout(), options_.gramian_of_heads);
    const Gramian gramian = without_noise(gramian_of_rows(columns(updates, objectives, part), objectives), mean.update_noise, part.size());
    const std::vector<double> lambda =
        solve_for(*solver_, {.gramian = gramian, .losses = mean.losses, .previous = lambda_.values(), .step = round.number()}, held)
            .objective_weights;
    std::vector<float> update = weighted_rows(updates, lambda);
    descend_in_heads(global.layout(), lambda, update);
    global.step(options_.server_lr, update);
    lambda_.set(lambda, held);
    Metrics metrics = Metrics().with("train_loss", mean.losses).with("lambda", lambda);
    exclusions.record(metrics);
    return metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean(); }
  bool works_on_noised_sums() const override { return works_on_sums() && !aggregation_.by_samples(); }

  void save(Record& state) const override { lambda_.save(state); }
  void load(const Record& state) override { lambda_.load(state); }

 private:
  FsmgdaOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<WeightSolver> solver_;
  KeptLambda lambda_;
  const Workload& workload_;
};

class FsmgdaClient : public ClientHalf {
 public:
  FsmgdaClient(const FsmgdaOptions& options, const Workload& workload, int client)
      : local_(options.local), halving_(options.halving), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == "train_each", "fsmgda client: expected the verb train_each, found '{}'", request.verb);
    const auto oracle = workload_.oracle(client_);
    const auto theta = request.theta(oracle->layout()->size());
    const LocalTrainingOptions options = halving_.in_round(local_, request.round);
    Reply reply;
    reply.num_samples = oracle->num_samples();
    reply.update.reserve(oracle->num_objectives() * theta.size());
    for (std::size_t k = 0; k < oracle->num_objectives(); ++k) {
      const Random draws = Random(stream, "train").substream("objective", k);
      const LocalUpdate local = train_locally(options, theta, 1, [&](std::int64_t step, auto at, auto losses, auto gradient) {
        losses[0] = oracle->objective_gradient(at, k, {draws, step}, gradient);
      });
      reply.update.insert(reply.update.end(), local.update.begin(), local.update.end());
      reply.losses.push_back(local.losses[0]);
    }
    return reply;
  }

 private:
  LocalTrainingOptions local_;
  RateHalving halving_;
  const Workload& workload_;
  int client_;
};

}  // namespace

void FsmgdaOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate (eta_s)");
  local.describe(visit);
  halving.describe(visit);
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("solver", solver, solvers(), "how the server sets lambda from the averaged updates");
  visit.boolean("gramian_of_heads", gramian_of_heads, "include the heads in the Gramian");
}

Strategy make_fsmgda(const FsmgdaOptions& options, const Workload& workload) {
  check_gradients("fsmgda", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  return {.server = std::make_unique<FsmgdaServer>(options, workload),
          .client = [options, &workload](int client) { return std::make_unique<FsmgdaClient>(options, workload, client); },
          .gradients_per_round = static_cast<std::int64_t>(workload.num_objectives()) * options.local.local_steps};
}

}  // namespace paretofl
