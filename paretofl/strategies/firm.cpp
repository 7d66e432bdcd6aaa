#include "paretofl/strategies/firm.h"

#include <optional>

#include "paretofl/aggregators/mean.h"
#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/local/oracle_steps.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/rounds/client_figures.h"
#include "paretofl/rounds/kept_lambda.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/solvers/held_objectives.h"

namespace paretofl {
namespace {

// Of the first and the last local step, where the drift is measured.
constexpr const char* kFirstLambda = "first_lambda";
constexpr const char* kLastLambda = "last_lambda";

/// The disagreement drift at the first and the last local step of a round.
struct Drift {
  double first = 0;
  double last = 0;
};

class FirmServer : public ServerHalf {
 public:
  FirmServer(const FirmOptions& options, std::size_t objectives)
      : options_(options), aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)), objectives_(objectives) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    std::optional<Drift> drift;
    Exclusions exclusions;
    TrainedCohort trained = train_on_objectives(
        round, cohort, Request("train").with(global), objectives_, global.size(), aggregation_, exclusions,
        options_.measure_drift ? std::vector<std::string>{kFirstLambda, kLastLambda} : std::vector<std::string>(), [&](Replies& replies) {
          if (options_.measure_drift) drift = disagreement_drift(round, replies, global.size(), exclusions);
        });
    if (drift) {
      trained.metrics.set("disagreement_drift", drift->first);
      trained.metrics.set("last_disagreement_drift", drift->last);
    }
    global.step(options_.server_lr, trained.update);
    return std::move(trained.metrics);
  }

  bool works_on_sums() const override { return aggregation_.is_mean() && !options_.measure_drift && !options_.record_steps; }
  bool works_on_noised_sums() const override { return works_on_sums() && !aggregation_.by_samples(); }

 private:
  /// The mean over the replies of the array, which it takes away from them.
  std::vector<double> taken_mean(Replies& replies, const char* name) const {
    std::vector<double> mean(objectives_);
    for (Reply& reply : replies) {
      const auto lambda = double_array(reply.extra, name, objectives_);
      for (std::size_t k = 0; k < objectives_; ++k) mean[k] += lambda[k] / static_cast<double>(replies.size());
      reply.extra.arrays.erase(name);
    }
    return mean;
  }

  std::optional<Drift> disagreement_drift(Round& round, Replies& replies, std::size_t size, Exclusions& exclusions) const {
    Request request = Request("disagreement").with_objective_weights(taken_mean(replies, kFirstLambda));
    request.extra.arrays.emplace(kLastLambda, Array(std::span<const double>(taken_mean(replies, kLastLambda))));
    const Round::Measurement apart(round);
    Replies deviations = round.broadcast(replies.cohort(), request);
    std::erase_if(deviations.replies, [&](const Reply& reply) {
      const std::optional<Fault> fault = aggregation_.fault(reply, 2 * size, 0);
      if (fault) exclusions.add(reply.client, *fault);
      return fault.has_value();
    });
    if (deviations.size() != replies.size()) return std::nullopt;
    const std::vector<float> mean = mean_update(deviations, 2 * size);
    return Drift{squared_norm(std::span(mean).first(size)), squared_norm(std::span(mean).last(size))};
  }

  FirmOptions options_;
  Aggregation aggregation_;
  std::size_t objectives_;
};

class FirmClient : public ClientHalf {
 public:
  /// The factors are those of the workload, by which the client's losses count in the mean over all clients.
  FirmClient(const FirmOptions& options, std::shared_ptr<const WeightSolver> solver, std::unique_ptr<ObjectiveSteps> steps,
             std::vector<std::size_t> held, std::vector<double> factors)
      : options_(options),
        solver_(std::move(solver)),
        steps_(std::move(steps)),
        held_(std::move(held)),
        factors_(std::move(factors)),
        lambda_(steps_->num_objectives()) {}

  Reply handle(const Request& request, StreamId stream) override {
    if (request.verb == "disagreement") return disagreement(request);
    expect(request.verb == "train", "firm client: expected train or disagreement, found '{}'", request.verb);
    const auto theta = request.theta(steps_->layout()->size());
    steps_->start_round(stream);
    SampledJacobian first = first_jacobian(*steps_, theta);
    if (options_.measure_drift) first_rows_ = first.rows;
    round_ = request.round;
    first_lambda_.clear();
    ObjectiveTraining training = train_on_objectives(options_.local, *steps_, theta, std::move(first), options_.gramian_of_heads,
                                                     [this](const Gramian& gramian, auto losses) { return resolve(gramian, losses); });
    if (options_.measure_drift) last_rows_ = std::move(training.last_rows);
    Reply reply = to_reply(std::move(training), *steps_, options_.record_steps);
    for (std::size_t k = 0; k < factors_.size(); ++k) reply.losses[k] *= factors_[k];
    if (options_.measure_drift) {
      reply.extra.arrays.emplace(kFirstLambda, Array(std::span<const double>(first_lambda_)));
      reply.extra.arrays.emplace(kLastLambda, Array(std::span<const double>(lambda_.values())));
    }
    return reply;
  }

  void end_round() noexcept override {
    first_rows_ = {};
    last_rows_ = {};
  }
  void save(Record& state) const override {
    lambda_.save(state);
    state.scalars.insert_or_assign("lambda_steps", static_cast<double>(lambda_steps_));
    steps_->save(state.records["steps"]);
  }
  void load(const Record& state) override {
    lambda_.load(state);
    lambda_steps_ = count_scalar(state, "lambda_steps");
    steps_->load(state.record("steps"));
  }

 private:
  std::vector<double> resolve(const Gramian& gramian, std::span<const double> losses) {
    const WeightProblem problem{.gramian = gramian,
                                .losses = losses,
                                .previous = lambda_.values(),
                                .previous_losses = lambda_.losses(),
                                .preference = options_.preference,
                                .step = lambda_steps_ + 1};
    lambda_.set(solve_for(*solver_, problem, held_).objective_weights, losses, *solver_);
    ++lambda_steps_;
    if (first_lambda_.empty()) first_lambda_ = lambda_.values();
    return lambda_.values();
  }

  Reply disagreement(const Request& request) {
    expect(round_ == request.round && !first_rows_.empty(), "disagreement: expected a training earlier in round {}, found none",
           request.round);
    Reply reply;
    reply.num_samples = steps_->num_samples();
    reply.update = disagreeing_part(first_rows_, first_lambda_, request.lambda(lambda_.size()));
    const std::vector<float> last =
        disagreeing_part(last_rows_, lambda_.values(), double_array(request.extra, kLastLambda, lambda_.size()));
    reply.update.insert(reply.update.end(), last.begin(), last.end());
    end_round();
    return reply;
  }

  /// sum_k (lambda_k - mean_k) row_k, of rows [M, d].
  static std::vector<float> disagreeing_part(std::span<const float> rows, std::span<const double> lambda, std::span<const double> mean) {
    std::vector<double> deviation;
    for (std::size_t k = 0; k < mean.size(); ++k) deviation.push_back(lambda[k] - mean[k]);
    return weighted_rows(rows, deviation);
  }

  FirmOptions options_;
  std::shared_ptr<const WeightSolver> solver_;
  std::unique_ptr<ObjectiveSteps> steps_;
  std::vector<std::size_t> held_;  ///< the client's objectives
  std::vector<double> factors_;    ///< [M], or empty where every client has every objective
  KeptLambda lambda_;              ///< of the last local step
  std::int64_t lambda_steps_ = 0;
  std::uint32_t round_ = 0;
  std::vector<double> first_lambda_;  ///< of the round's first step; only within a round
  std::vector<float> first_rows_;     ///< its gradients [M, d]; likewise
  std::vector<float> last_rows_;      ///< those of the last step; likewise
};

}  // namespace

void FirmOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate (eta_s); 1 takes the mean of the clients' models");
  local.describe(visit);
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("solver", solver, solvers(), "how a client sets lambda from the gradients of a local step");
  visit.reals("preference", preference, 0, kInfinity,
              "preference p for solvers that use one, one positive number per objective, the same for all clients; empty: none");
  visit.boolean("gramian_of_heads", gramian_of_heads, "include the heads in the Gramian");
  visit.boolean("measure_drift", measure_drift,
                "record the disagreement drift of the first and of the last local step of each round; clients then send 2 d more numbers, "
                "which are counted apart");
  describe_record_steps(visit, record_steps);
}

Strategy make_firm(const FirmOptions& options, const Workload& workload) {
  check_objective_steps("firm", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  check_preference(options.preference, workload);
  const std::shared_ptr<const WeightSolver> solver = make_solver_for(workload, options.solver, options.preference);
  check_one_sample("firm", *solver);
  const auto client = [options, solver, &workload](int client) {
    std::vector<double> factors = workload.objective_factors(client);
    auto steps =
        factors.empty() ? workload.objective_steps(client, options.local) : std::make_unique<OracleSteps>(workload.own_oracle(client));
    return std::make_unique<FirmClient>(options, solver, std::move(steps), workload.held_objectives(client), std::move(factors));
  };
  return {.server = std::make_unique<FirmServer>(options, workload.num_objectives()),
          .client = client,
          .gradients_per_round = options.local.local_steps};
}

}  // namespace paretofl
