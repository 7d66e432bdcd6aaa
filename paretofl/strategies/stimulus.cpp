#include "paretofl/strategies/stimulus.h"

#include <algorithm>
#include <cmath>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/rounds/kept_lambda.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

/// The verbs, and what their requests hold beside theta.
constexpr const char* kSendGradients = "send_gradients";
constexpr const char* kSendDifference = "send_difference";
constexpr const char* kMinibatches = "minibatches";
constexpr const char* kPrevious = "previous";

/// The recursion as it is after a round; empty before the first.
struct Recursion {
  std::vector<float> gradients;  ///< u [M, d]
  std::vector<float> theta;      ///< x_t [d] that u is of
  std::int64_t rounds = 0;       ///< since the last restart, which counts
  double squared_norms = 0;      ///< of the directions of these rounds, summed
};

class StimulusServer : public ServerHalf {
 public:
  StimulusServer(const StimulusOptions& options, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, ClientWeighting::kUniform),
        solver_(make_tried_solver(options.solver, workload.num_objectives())),
        lambda_(workload.num_objectives()),
        workload_(workload) {
    check_one_sample("stimulus", *solver_);
  }

  Metrics run_round(Round& round, Parameters& global) override {
    const bool restart = recursion_.gradients.empty() || recursion_.rounds >= options_.restart_every;
    const std::size_t objectives = lambda_.size();
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(restart ? options_.restart_cohort_size : options_.cohort_size));
    Exclusions exclusions;
    CohortMean mean = combine_cohort(round, cohort, request(restart, global), objectives * global.size(), objectives, aggregation_,
                                     exclusions, objectives, solver_->loss_use());
    expect_holders(round, mean.cohort, workload_);

    Recursion next;
    next.gradients = std::move(mean.update);
    if (!restart) {
      for (std::size_t i = 0; i < next.gradients.size(); ++i) next.gradients[i] += recursion_.gradients[i];
    }
    const Range part = gramian_part(global.layout(), options_.gramian_of_heads);
    const std::vector<double> lambda = solver_
                                           ->solve({.gramian = gramian_of_rows(columns(next.gradients, objectives, part), objectives),
                                                    .losses = mean.losses,
                                                    .previous = lambda_.values(),
                                                    .previous_losses = lambda_.losses(),
                                                    .step = round.number()})
                                           .objective_weights;
    std::vector<float> direction = weighted_rows(next.gradients, lambda);
    descend_in_heads(global.layout(), lambda, direction);
    next.rounds = restart ? 1 : recursion_.rounds + 1;
    next.squared_norms = (restart ? 0 : recursion_.squared_norms) + squared_norm(direction);
    next.theta.assign(global.values().begin(), global.values().end());

    global.step(options_.server_lr, direction);
    if (options_.momentum > 0 && !recursion_.theta.empty()) global.step(options_.momentum, last_step(next.theta));
    recursion_ = std::move(next);
    lambda_.set(lambda, mean.losses, *solver_);
    Metrics metrics = Metrics().with("train_loss", mean.losses).with("lambda", lambda);
    exclusions.record(metrics);
    return metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean(); }
  /// The recursion would add up the noise of its rounds.
  bool works_on_noised_sums() const override { return false; }

  void save(Record& state) const override {
    lambda_.save(state);
    state.arrays.insert_or_assign("gradients", Array(std::span(recursion_.gradients)));
    state.arrays.insert_or_assign("theta", Array(std::span(recursion_.theta)));
    state.scalars.insert_or_assign("rounds", static_cast<double>(recursion_.rounds));
    state.scalars.insert_or_assign("squared_norms", recursion_.squared_norms);
  }
  void load(const Record& state) override {
    lambda_.load(state);
    Recursion loaded;
    loaded.rounds = count_scalar(state, "rounds");
    loaded.squared_norms = state.scalar("squared_norms");
    const std::size_t size = loaded.rounds > 0 ? workload_.layout()->size() : 0;
    const auto gradients = float_array(state, "gradients", lambda_.size() * size);
    const auto theta = float_array(state, "theta", size);
    loaded.gradients.assign(gradients.begin(), gradients.end());
    loaded.theta.assign(theta.begin(), theta.end());
    recursion_ = std::move(loaded);
  }

 private:
  Request request(bool restart, const Parameters& global) const {
    Request request = Request(restart ? kSendGradients : kSendDifference).with(global);
    if (restart) {
      request.extra.scalars.emplace(kMinibatches, static_cast<double>(minibatches()));
    } else {
      request.extra.arrays.emplace(kPrevious, Array(std::span(recursion_.theta)));
    }
    return request;
  }

  /// Of each client at a restart.
  std::int64_t minibatches() const {
    if (options_.adaptive_batches == 0 || recursion_.rounds == 0) return options_.restart_minibatches;
    const double gamma = recursion_.squared_norms / static_cast<double>(recursion_.rounds);
    const double wanted = std::ceil(options_.adaptive_batches / gamma);  // infinite where the gradients vanish
    if (!(wanted < static_cast<double>(options_.restart_minibatches))) return options_.restart_minibatches;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted));
  }

  /// x_{t-1} - x_t [d], which a descent step goes against.
  std::vector<float> last_step(const std::vector<float>& theta) const {
    std::vector<float> step(theta.size());
    for (std::size_t i = 0; i < step.size(); ++i) step[i] = recursion_.theta[i] - theta[i];
    return step;
  }

  StimulusOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<WeightSolver> solver_;
  KeptLambda lambda_;
  Recursion recursion_;
  const Workload& workload_;
};

class StimulusClient : public ClientHalf {
 public:
  StimulusClient(bool shared_minibatch, const Workload& workload, int client)
      : shared_minibatch_(shared_minibatch), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == kSendGradients || request.verb == kSendDifference, "stimulus client: expected {} or {}, found '{}'",
           kSendGradients, kSendDifference, request.verb);
    const auto oracle = workload_.oracle(client_);
    const auto theta = request.theta(oracle->layout()->size());
    const Random draws(stream, "jacobian");
    const bool restart = request.verb == kSendGradients;
    SampledJacobian answer = restart ? mean_jacobian(*oracle, theta, count_scalar(request.extra, kMinibatches), draws)
                                     : difference(*oracle, theta, request.extra, draws);
    Reply reply;
    reply.num_samples = oracle->num_samples();
    reply.update = std::move(answer.rows);
    reply.losses = std::move(answer.losses);
    return reply;
  }

 private:
  SampledJacobian mean_jacobian(const GradientOracle& oracle, std::span<const float> theta, std::int64_t minibatches,
                                const Random& draws) const {
    expect(minibatches >= 1, "{}: expected at least 1 minibatch, found {}", kSendGradients, minibatches);
    SampledJacobian mean = sample_jacobian(oracle, theta, shared_minibatch_, draws);
    for (std::int64_t step = 1; step < minibatches; ++step) {
      const SampledJacobian next = sample_jacobian(oracle, theta, shared_minibatch_, draws, step);
      for (std::size_t i = 0; i < mean.rows.size(); ++i) mean.rows[i] += next.rows[i];
      for (std::size_t k = 0; k < mean.losses.size(); ++k) mean.losses[k] += next.losses[k];
    }
    const auto count = static_cast<double>(minibatches);
    for (float& x : mean.rows) x /= static_cast<float>(count);
    for (double& loss : mean.losses) loss /= count;
    return mean;
  }

  /// The gradients at theta less those at the parameters before, on the same minibatches; losses at theta.
  SampledJacobian difference(const GradientOracle& oracle, std::span<const float> theta, const Record& extra, const Random& draws) const {
    const auto before = float_array(extra, kPrevious, theta.size());
    expect(std::all_of(before.begin(), before.end(), [](float x) { return std::isfinite(x); }),
           "{}: expected finite parameters before, found a number that is not finite", kSendDifference);
    SampledJacobian now = sample_jacobian(oracle, theta, shared_minibatch_, draws);
    const SampledJacobian then = sample_jacobian(oracle, before, shared_minibatch_, draws);
    for (std::size_t i = 0; i < now.rows.size(); ++i) now.rows[i] -= then.rows[i];
    return now;
  }

  bool shared_minibatch_;
  const Workload& workload_;
  int client_;
};

}  // namespace

void StimulusOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round, except in rounds that are restarts");
  visit.integer("restart_cohort_size", restart_cohort_size, 0, kMaxInt, "clients in a restart's round; 0: all");
  visit.integer("restart_every", restart_every, 1, kMaxInt, "rounds from one restart to the next (q); 1: no recursion");
  visit.integer("restart_minibatches", restart_minibatches, 1, kMaxInt, "minibatches of a client, for each gradient, at a restart");
  visit.real("adaptive_batches", adaptive_batches, 0, kInfinity,
             "c: a restart takes ceil(c / gamma) minibatches, where gamma is the mean squared norm of the last directions; 0: "
             "restart_minibatches");
  visit.real("server_lr", server_lr, 0, kInfinity, "learning rate (eta)");
  visit.real("momentum", momentum, 0, 1, "alpha of STIMULUS-M: the share of the last step that is repeated");
  aggregation.describe(visit);
  visit.component("solver", solver, solvers(), "how the server sets lambda from the gradients that it keeps");
  visit.choice("jacobian_minibatches", jacobian_minibatches, {"per_objective", "shared"},
               "per_objective: one minibatch for each objective; shared: one for all, with one forward pass");
  visit.boolean("gramian_of_heads", gramian_of_heads, "include the heads in the Gramian");
}

Strategy make_stimulus(const StimulusOptions& options, const Workload& workload) {
  check_gradients("stimulus", workload);
  check_cohort_size(options.cohort_size, workload);
  check_cohort_size(options.restart_cohort_size, workload);
  StimulusOptions complete = options;
  if (complete.restart_cohort_size == 0) complete.restart_cohort_size = workload.num_clients();
  for (const std::int64_t size : {complete.cohort_size, complete.restart_cohort_size}) {
    check_aggregation({options.aggregation, ClientWeighting::kUniform}, size, workload);
  }
  const bool shared = options.jacobian_minibatches == "shared";
  return {.server = std::make_unique<StimulusServer>(complete, workload),
          .client = [shared, &workload](int client) { return std::make_unique<StimulusClient>(shared, workload, client); },
          .gradients_per_round = 0};  // noise for single examples is refused, as the recursion would add it up
}

}  // namespace paretofl
