#include "paretofl/strategies/fedcmoo_a.h"

#include <utility>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/core/error.h"
#include "paretofl/optimization/positive_semidefinite.h"
#include "paretofl/rounds/client_figures.h"
#include "paretofl/rounds/kept_lambda.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/rounds/weighted_training.h"
#include "paretofl/solvers/held_objectives.h"

namespace paretofl {
namespace {

class FedCmooAServer : public ServerHalf {
 public:
  FedCmooAServer(const FedCmooAOptions& options, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        solver_(make_solver_for(workload, options.solver, options.preference)),
        lambda_(workload.num_objectives()),
        workload_(workload) {
    check_one_sample("fedcmoo_a", *solver_);
  }

  Metrics run_round(Round& round, Parameters& global) override {
    const std::size_t objectives = lambda_.size();
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    Exclusions exclusions;
    const CohortMean jacobian = combine_cohort(round, cohort, Request("send_jacobian").with(global), objectives * global.size(), objectives,
                                               aggregation_, exclusions, objectives, solver_->loss_use());
    const std::vector<std::size_t> held = held_objectives(jacobian.cohort, workload_);
    const Range part = gramian_part(global.layout(), options_.gramian_of_heads);
    const Gramian gramian =
        without_noise(gramian_of_rows(columns(jacobian.update, objectives, part), objectives), jacobian.update_noise, part.size());
    const WeightSolution solution = solve_for(*solver_,
                                              {.gramian = gramian,
                                               .losses = jacobian.losses,
                                               .previous = lambda_.values(),
                                               .previous_losses = lambda_.losses(),
                                               .preference = options_.preference,
                                               .step = round.number()},
                                              held);
    const std::vector<double>& lambda = solution.objective_weights;
    TrainedCohort trained = train_on_objectives(round, jacobian.cohort, Request("train").with(global).with_objective_weights(lambda),
                                                objectives, global.size(), aggregation_, exclusions);
    global.step(options_.server_lr, trained.update);
    lambda_.set(lambda, held, jacobian.losses, *solver_);
    return trained.metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean() && !options_.record_steps; }
  bool works_on_noised_sums() const override { return works_on_sums() && !aggregation_.by_samples(); }

  void save(Record& state) const override { lambda_.save(state); }
  void load(const Record& state) override { lambda_.load(state); }

 private:
  FedCmooAOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<WeightSolver> solver_;
  KeptLambda lambda_;
  const Workload& workload_;
};

class FedCmooAClient : public ClientHalf {
 public:
  FedCmooAClient(const FedCmooAOptions& options, std::unique_ptr<ObjectiveSteps> steps) : options_(options), steps_(std::move(steps)) {}

  Reply handle(const Request& request, StreamId stream) override {
    const auto theta = request.theta(steps_->layout()->size());
    if (request.verb == "send_jacobian") return send(theta, request.round, stream);
    expect(request.verb == "train", "fedcmoo_a client: expected send_jacobian or train, found '{}'", request.verb);
    const auto lambda = request.lambda(steps_->num_objectives());
    expect(round_ == request.round && !first_.rows.empty(), "train: expected gradients sent earlier in round {}, found none",
           request.round);
    return to_reply(train_on_objectives(options_.local, *steps_, theta, std::exchange(first_, {}), options_.gramian_of_heads,
                                        [&](const Gramian&, auto) { return std::vector<double>(lambda.begin(), lambda.end()); }),
                    *steps_, options_.record_steps);
  }

  void end_round() noexcept override { first_ = {}; }
  void save(Record& state) const override { steps_->save(state); }
  void load(const Record& state) override { steps_->load(state); }

 private:
  Reply send(std::span<const float> theta, std::uint32_t round, StreamId stream) {
    steps_->start_round(stream);
    first_ = first_jacobian(*steps_, theta);
    round_ = round;
    Reply reply;
    reply.num_samples = steps_->num_samples();
    reply.update = first_.rows;
    reply.losses = first_.losses;
    return reply;
  }

  FedCmooAOptions options_;
  std::unique_ptr<ObjectiveSteps> steps_;
  std::uint32_t round_ = 0;
  SampledJacobian first_;  ///< of the round's first step; only within a round
};

}  // namespace

void FedCmooAOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate (eta_s); 1 takes the mean of the clients' models");
  local.describe(visit);
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("solver", solver, solvers(), "how the server sets lambda from the mean gradients");
  visit.reals("preference", preference, 0, kInfinity,
              "preference p, one positive number per objective; refused where the solver reads none; empty: none");
  visit.boolean("gramian_of_heads", gramian_of_heads, "include the heads in the Gramian");
  describe_record_steps(visit, record_steps);
}

Strategy make_fedcmoo_a(const FedCmooAOptions& options, const Workload& workload) {
  check_objective_steps("fedcmoo_a", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  check_preference(options.preference, workload);
  return {.server = std::make_unique<FedCmooAServer>(options, workload),
          .client = [options, &workload](
                        int client) { return std::make_unique<FedCmooAClient>(options, workload.objective_steps(client, options.local)); },
          .gradients_per_round = options.local.local_steps};
}

}  // namespace paretofl
