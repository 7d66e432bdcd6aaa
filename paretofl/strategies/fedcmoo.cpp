#include "paretofl/strategies/fedcmoo.h"

#include <fmt/format.h>

#include <array>

#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/local/partial_oracle.h"
#include "paretofl/rounds/gramian_exchange.h"
#include "paretofl/rounds/kept_lambda.h"
#include "paretofl/rounds/local_progress.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/rounds/weighted_training.h"
#include "paretofl/solvers/held_objectives.h"

namespace paretofl {
namespace {

/// The verb of the only exchange of a round, and what its replies hold beside the update.
constexpr const char* kTrainAndSketch = "train_and_sketch";
constexpr const char* kSketch = "sketch";
constexpr const char* kSketchLosses = "sketch_losses";

class FedCmooServer : public ServerHalf {
 public:
  FedCmooServer(const FedCmooOptions& options, const std::shared_ptr<const Compressor>& compressor, const Workload& workload)
      : options_(options),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        solver_(make_solver_for(workload, options.solver, options.preference)),
        gramian_(compressor, workload.num_objectives(), gramian_part(*workload.layout(), options.gramian_of_heads).size(),
                 options.measure_nrmse, options.aggregation, solver_->loss_use()),
        lambda_(workload.num_objectives()),
        workload_(workload) {
    if (solver_->reads_two_samples()) check_two_samples(*compressor);
  }

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    if (options_.exchanges == "one") return run_round_of_one_exchange(round, cohort, global);
    GramianEstimate estimate =
        solver_->reads_two_samples() ? estimate_by_two_samples(round, cohort, global) : gramian_.estimate(round, cohort, global);
    const std::vector<std::size_t> held = held_objectives(estimate.cohort, workload_);
    const WeightSolution solution = solve(estimate, held, round);
    const std::vector<double>& lambda = solution.objective_weights;
    std::optional<LocalProgress> progress;
    if (options_.measure_local_progress) progress = measure_local_progress(round, estimate.cohort, global, lambda, estimate.exclusions);
    const WeightedTraining training = train_cohort(round, estimate.cohort, global, lambda, aggregation_, estimate.exclusions);
    global.step(options_.server_lr, training.update);
    lambda_.set(lambda, held, estimate.losses, *solver_);
    Metrics metrics = metrics_of(training, lambda, estimate, solution);
    if (progress) {
      metrics.set("local_progress", progress->together);
      metrics.set("separate_local_progress", progress->separate);
    }
    return metrics;
  }

  bool works_on_sums() const override {
    return options_.exchanges == "all" && aggregation_.is_mean() && gramian_.works_on_sums() && !solver_->reads_two_samples() &&
           !options_.measure_local_progress;
  }
  bool works_on_noised_sums() const override { return works_on_sums() && gramian_.works_on_noised_sums() && !aggregation_.by_samples(); }

  void save(Record& state) const override { lambda_.save(state); }
  void load(const Record& state) override { lambda_.load(state); }

 private:
  void check_two_samples(const Compressor& compressor) const {
    const std::string why = fmt::format("because the solver {} needs two independent samples", options_.solver.name);
    expect(!options_.reuse_gradients, "strategy.reuse_gradients: expected false, {}; found true", why);
    expect(options_.exchanges == "all", "strategy.exchanges: expected all, {}; found {}", why, options_.exchanges);
    expect(!options_.measure_nrmse, "strategy.measure_nrmse: expected false, {}; found true", why);
    expect(compressor.protocol() == GramianProtocol::kOneWay,
           "strategy.compressor: expected a one-way compressor of jacobians, {}; found {}", why, options_.compressor.name);
  }

  /// Two cohorts of their own sketch, independently of each other and of those who train, as in fedcmoo_theory.
  GramianEstimate estimate_by_two_samples(Round& round, const Cohort& cohort, const Parameters& global) {
    std::array<JacobianEstimate, 2> samples;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Cohort sketching = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
      samples[i] = gramian_.mean_jacobian(round, sketching, global, static_cast<int>(i) + 1);
      expect_holders(round, samples[i].cohort, workload_);
    }
    return GramianServer::of_two_samples(samples[0], samples[1], cohort);
  }

  /// lambda_ is that of this round; it leaves the one of the next round there.
  Metrics run_round_of_one_exchange(Round& round, const Cohort& cohort, Parameters& global) {
    const std::vector<double> lambda = lambda_.values();
    Exclusions exclusions;
    WeightedTraining training = train_cohort(round, cohort, global, lambda, aggregation_, exclusions, kTrainAndSketch);
    GramianEstimate estimate = gramian_.estimate(taken_sketches(training.replies, exclusions));
    estimate.exclusions.add(exclusions);
    const std::vector<std::size_t> held = held_objectives(estimate.cohort, workload_);
    const WeightSolution solution = solve(estimate, held, round);
    global.step(options_.server_lr, training.update);
    lambda_.set(solution.objective_weights, held, estimate.losses, *solver_);
    return metrics_of(training, lambda, estimate, solution);
  }

  /// The sketches that ride with the updates, as if they had come alone. Replies without them are left out.
  Replies taken_sketches(Replies& replies, Exclusions& exclusions) const {
    std::erase_if(replies.replies, [&](Reply& reply) {
      try {
        const auto losses = double_array(reply.extra, kSketchLosses, lambda_.size());
        reply.losses.assign(losses.begin(), losses.end());
      } catch (const Error&) {
        exclusions.add(reply.client, Fault::kMalformed);
        return true;
      }
      Record sketch = std::move(reply.extra.records[kSketch]);
      reply.extra = std::move(sketch);
      return false;
    });
    return std::move(replies);
  }

  WeightSolution solve(const GramianEstimate& estimate, std::span<const std::size_t> held, const Round& round) const {
    return solve_for(*solver_,
                     {.gramian = estimate.gramian,
                      .losses = estimate.losses,
                      .previous = lambda_.values(),
                      .previous_losses = lambda_.losses(),
                      .two_sample_products = estimate.two_sample_products,
                      .preference = options_.preference,
                      .step = round.number()},
                     held);
  }

  static Metrics metrics_of(const WeightedTraining& training, const std::vector<double>& lambda, const GramianEstimate& estimate,
                            const WeightSolution& solution) {
    const auto gramian = estimate.gramian.values();
    Metrics metrics = Metrics()
                          .with("train_loss", training.losses)
                          .with("lambda", lambda)
                          .with("gramian", std::vector<double>(gramian.begin(), gramian.end()))
                          .with("kkt_residual", solution.kkt_residual);
    if (estimate.error) {
      metrics.set("gramian_nrmse", estimate.error->nrmse);
      metrics.set("gramian_scaled_nrmse", estimate.error->scaled_nrmse);
    }
    estimate.exclusions.record(metrics);
    return metrics;
  }

  FedCmooOptions options_;
  Aggregation aggregation_;
  std::unique_ptr<WeightSolver> solver_;
  GramianServer gramian_;
  KeptLambda lambda_;
  const Workload& workload_;
};

class FedCmooClient : public ClientHalf {
 public:
  FedCmooClient(const FedCmooOptions& options, std::shared_ptr<const Compressor> compressor, const Workload& workload, int client)
      : local_(options.local),
        separate_client_lr_(options.separate_client_lr),
        halving_(options.halving),
        reuse_gradients_(options.reuse_gradients),
        gramian_(std::move(compressor), {.shared_minibatch = options.jacobian_minibatches == "shared",
                                         .with_heads = options.gramian_of_heads,
                                         .local_losses = options.losses == "local",
                                         .recompute = options.recompute_jacobian}),
        workload_(workload),
        client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    const auto oracle = workload_.oracle(client_);
    if (request.verb == "sketch_jacobian") return gramian_.sketch(*oracle, request, stream);
    if (request.verb == "correct_gramian") return gramian_.correct(*oracle, request);
    if (request.verb == "send_jacobian") return gramian_.send(*oracle, request);
    if (request.verb == kTrainAndSketch) return train_and_sketch(*oracle, request, stream);
    if (request.verb == kMeasureProgress) {
      LocalTrainingOptions separate = local_;
      if (separate_client_lr_ > 0) separate.client_lr = separate_client_lr_;
      return local_progress(halving_.in_round(local_, request.round), halving_.in_round(separate, request.round), *oracle,
                            counted_factors(), request, stream);
    }
    expect(request.verb == "train", "fedcmoo client: expected sketch_jacobian, correct_gramian, send_jacobian, {} or train; found '{}'",
           kTrainAndSketch, request.verb);
    return train(*oracle, request, stream);
  }

  void end_round() noexcept override { gramian_.end_round(); }

 private:
  Reply train_and_sketch(const GradientOracle& oracle, const Request& request, StreamId stream) {
    Reply sketch = gramian_.sketch(oracle, request, stream);
    Reply reply = train(oracle, request, stream);
    reply.extra.records.emplace(kSketch, std::move(sketch.extra));
    reply.extra.arrays.emplace(kSketchLosses, Array(std::span<const double>(sketch.losses)));
    return reply;
  }

  Reply train(const GradientOracle& oracle, const Request& request, StreamId stream) {
    const auto theta = request.theta(oracle.layout()->size());
    const auto lambda = request.lambda(oracle.num_objectives());
    const Random draws(stream, "train");
    const HeldWeights held = held_weights(lambda, counted_factors());
    SampledJacobian sampled;
    if (reuse_gradients_) sampled = gramian_.take(oracle, request.round);
    gramian_.end_round();
    LocalUpdate local = train_locally(halving_.in_round(local_, request.round), theta, lambda.size(),
                                      [&](std::int64_t step, auto at, auto losses, auto gradient) {
                                        if (step > 0 || !reuse_gradients_) {
                                          oracle.weighted_gradient(at, held.weights, {draws, step}, losses, gradient);
                                        } else {
                                          const std::vector<float> first = weighted_rows(sampled.rows, held.weights);
                                          std::copy(first.begin(), first.end(), gradient.begin());
                                          std::copy(sampled.losses.begin(), sampled.losses.end(), losses.begin());
                                          sampled = {};
                                        }
                                        descend_in_heads(*oracle.layout(), lambda, gradient);
                                      });
    local.scale_update(held.scale);
    return to_reply(std::move(local), oracle);
  }

  /// By what the client's whole update counts, with SGD. Adam's steps are as long for a small gradient as for a large one, and lambda,
  /// which is the smaller the longer an objective's gradient is, does not balance them: with it, such clients count alike.
  std::vector<double> counted_factors() const {
    return local_.optimizer == "sgd" ? workload_.objective_factors(client_) : std::vector<double>();
  }

  LocalTrainingOptions local_;
  double separate_client_lr_;
  RateHalving halving_;
  bool reuse_gradients_;
  GramianClient gramian_;
  const Workload& workload_;
  int client_;
};

}  // namespace

void FedCmooOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate (eta_s)");
  local.describe(visit);
  halving.describe(visit);
  describe_client_weighting(visit, client_weighting);
  aggregation.describe(visit);
  visit.component("solver", solver, solvers(), "how the server sets lambda from the Gramian");
  visit.reals("preference", preference, 0, kInfinity,
              "preference r, one positive number per objective; refused where the solver reads none; empty: none");
  visit.component("compressor", compressor, compressors(), "how clients send their jacobians");
  visit.choice("jacobian_minibatches", jacobian_minibatches, {"per_objective", "shared"},
               "minibatches of the jacobian; per_objective: one for each objective; shared: one for all, with one forward pass");
  visit.choice("losses", losses, {"minibatch", "local"},
               "losses for solvers that read them. minibatch: of the jacobian's minibatches, in training mode; local: means over all of a "
               "client's data, in evaluation mode, for which the client evaluates theta once a round");
  visit.boolean("reuse_gradients", reuse_gradients,
                "take the first local step with the gradients that were sketched, in place of new ones");
  visit.boolean(
      "recompute_jacobian", recompute_jacobian,
      "compute a client's jacobian again wherever it is needed: the same bits in more time, and memory for one per thread instead "
      "of one per client of the cohort");
  visit.boolean("gramian_of_heads", gramian_of_heads, "include the heads in the Gramian");
  visit.boolean("measure_nrmse", measure_nrmse,
                "record the Gramian's error; clients then send their jacobians as well, which is counted apart");
  visit.boolean(
      "measure_local_progress", measure_local_progress,
      "record by how much the clients' losses on all of their data fall in their local steps, and by how much they would fall with "
      "steps on each objective alone; this takes one more exchange, whose bytes are counted apart");
  visit.real("separate_client_lr", separate_client_lr, 0, kInfinity,
             "client learning rate of the steps on each objective alone that measure_local_progress takes; 0: client_lr");
  visit.choice("exchanges", exchanges, {"all", "one"},
               "one: a round is one exchange, for networks where each takes seconds; lambda then follows the Gramian of the round before, "
               "and two-way sketches are not corrected");
}

Strategy make_fedcmoo(const FedCmooOptions& options, const Workload& workload) {
  check_gradients("fedcmoo", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  check_preference(options.preference, workload);
  check_losses(options.losses, workload);
  expect(options.exchanges == "all" || !options.measure_nrmse, "strategy.measure_nrmse: expected false with exchanges = one, found true");
  expect(options.exchanges == "all" || !options.measure_local_progress,
         "strategy.measure_local_progress: expected false with exchanges = one, found true");
  expect(options.separate_client_lr == 0 || options.measure_local_progress,
         "strategy.separate_client_lr: expected 0 without measure_local_progress, found {}", options.separate_client_lr);
  expect(!options.measure_local_progress || workload.has_local_losses(),
         "strategy.measure_local_progress: expected false, since clients of this workload, or clients under privacy.example_clip, report "
         "losses of minibatches only; found true");
  if (options.local.optimizer == "adam" && !workload.has_all_objectives()) {
    warn(
        "warning: strategy.optimizer: with adam, a client that has one objective takes the same steps whatever lambda is; sgd heeds "
        "lambda");
  }
  const std::shared_ptr<const Compressor> compressor = make_compressor(options.compressor);
  const auto of_jacobian = options.jacobian_minibatches == "shared" ? 1 : static_cast<std::int64_t>(workload.num_objectives());
  const bool two_samples = make_solver(options.solver)->reads_two_samples();
  return {.server = std::make_unique<FedCmooServer>(options, compressor, workload),
          .client = [options, compressor,
                     &workload](int client) { return std::make_unique<FedCmooClient>(options, compressor, workload, client); },
          .gradients_per_round = (two_samples ? 2 : 1) * of_jacobian + options.local.local_steps - (options.reuse_gradients ? 1 : 0)};
}

}  // namespace paretofl
