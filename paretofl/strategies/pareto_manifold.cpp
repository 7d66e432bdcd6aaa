#include "paretofl/strategies/pareto_manifold.h"

#include <algorithm>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/core/error.h"
#include "paretofl/core/model_simplex.h"
#include "paretofl/objectives/spaced_preferences.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/solvers/linear.h"

namespace paretofl {
namespace {

constexpr const char* kVerb = "train_vertices";

class ParetoManifoldServer : public ServerHalf {
 public:
  ParetoManifoldServer(const ParetoManifoldOptions& options, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        optimizer_(make_server_optimizer(options.server_optimizer)),
        simplex_(workload.initial_parameters(), workload.num_objectives(),
                 weights_of(spaced_preferences(static_cast<std::size_t>(options.front_preferences), workload.num_objectives()))) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    Exclusions exclusions;
    Parameters& vertices = simplex_.vertices();
    const std::size_t objectives = simplex_.num_vertices();
    const CohortMean mean = combine_cohort(round, cohort, Request(kVerb).with(vertices), vertices.size(), objectives, aggregation_,
                                           exclusions, objectives, {.needed = false});
    optimizer_->apply(mean.update, vertices);
    const std::vector<float> center = simplex_.center();
    std::copy(center.begin(), center.end(), global.values().begin());
    Metrics metrics = Metrics().with("train_loss", mean.losses);
    exclusions.record(metrics);
    return metrics;
  }

  const ModelSimplex* model_simplex() const override { return &simplex_; }

  bool works_on_sums() const override { return aggregation_.is_mean(); }
  bool works_on_noised_sums() const override { return works_on_sums() && !aggregation_.by_samples(); }

  void save(Record& state) const override {
    state.records.emplace("vertices", simplex_.save());
    optimizer_->save(state.records["optimizer"]);
  }
  void load(const Record& state) override {
    simplex_.load(state.record("vertices"));
    optimizer_->load(state.record("optimizer"));
  }

 private:
  ParetoManifoldOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<ServerOptimizer> optimizer_;
  ModelSimplex simplex_;
};

class ParetoManifoldClient : public ClientHalf {
 public:
  /// `solver` is null where lambda is the preference.
  ParetoManifoldClient(const ParetoManifoldOptions& options, std::shared_ptr<const WeightSolver> solver, const Workload& workload,
                       int client)
      : options_(options), solver_(std::move(solver)), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == kVerb, "pareto_manifold client: expected the verb {}, found '{}'", kVerb, request.verb);
    const auto oracle = workload_.oracle(client_);
    const auto vertices = request.theta(oracle->num_objectives() * oracle->layout()->size());
    const LocalTrainingOptions local = options_.halving.in_round(options_.local, request.round);
    return to_reply(train_vertices(local, options_.training, *oracle, vertices, solver_.get(), Random(stream, "train")), *oracle);
  }

 private:
  ParetoManifoldOptions options_;
  std::shared_ptr<const WeightSolver> solver_;
  const Workload& workload_;
  int client_;
};

/// Whether the solver's weights are the preference itself, which needs one gradient and no jacobian.
bool weighs_by_preference(const Component& solver) {
  return solver.name == "linear" && read_options<Linear::Options>(solver.settings, "solver").scale == "none";
}

}  // namespace

void ParetoManifoldOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  local.describe(visit);
  halving.describe(visit);
  training.describe(visit);
  visit.component("solver", solver, solvers(),
                  "how a client weighs the objectives at a drawn preference; linear: by the preference itself, with one gradient; another "
                  "one takes the gradient of each objective");
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("server_optimizer", server_optimizer, server_optimizers(), "how the server applies the mean update of the vertices");
  visit.integer("front_preferences", front_preferences, 1, 10000, "evenly spaced preferences whose models the run evaluates");
}

Strategy make_pareto_manifold(const ParetoManifoldOptions& options, const Workload& workload) {
  check_gradients("pareto_manifold", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  expect(options.training.order_penalty == 0 || options.training.preferences_per_step >= 2,
         "strategy.preferences_per_step: expected 2 or more with order_penalty, found {}", options.training.preferences_per_step);
  std::shared_ptr<const WeightSolver> solver;
  if (!weighs_by_preference(options.solver)) {
    check_all_objectives("pareto_manifold with a solver other than linear", workload);
    const std::vector<double> uniform(workload.num_objectives(), 1);
    solver = make_tried_solver(options.solver, workload.num_objectives(), uniform);
    check_one_sample("pareto_manifold", *solver);
    expect(solver->reads_preference(), "strategy.solver: expected one that uses a preference, as pareto_manifold draws them, found '{}'",
           options.solver.name);
    expect(!solver->reads_previous(),
           "strategy.solver: expected one that needs no weights of the step before, which had another preference, found '{}'",
           options.solver.name);
  }
  return {.server = std::make_unique<ParetoManifoldServer>(options, workload),
          .client = [options, solver,
                     &workload](int client) { return std::make_unique<ParetoManifoldClient>(options, solver, workload, client); },
          .gradients_per_round = options.local.local_steps * options.training.gradients_per_step()};
}

}  // namespace paretofl
