#include "paretofl/strategies/fsmgda.h"

#include <utility>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/positive_semidefinite.h"
#include "paretofl/rounds/kept_lambda.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/solvers/held_objectives.h"

namespace paretofl {
namespace {

Gramian scaled(Gramian gramian, double factor) {
  for (std::size_t i = 0; i < gramian.objectives(); ++i) {
    for (std::size_t j = 0; j < gramian.objectives(); ++j) gramian(i, j) *= factor;
  }
  return gramian;
}

class FsmgdaServer : public ServerHalf {
 public:
  FsmgdaServer(const FsmgdaOptions& options, std::shared_ptr<const Compressor> compressor, const Workload& workload)
      : options_(options),
        compressor_(std::move(compressor)),
        aggregation_(options.aggregation, parse_client_weighting(options.client_weighting)),
        solver_(make_solver_for(workload, options.solver)),
        lambda_(workload.num_objectives()),
        workload_(workload) {
    check_one_sample("fsmgda", *solver_);
  }

  Metrics run_round(Round& round, Parameters& global) override {
    const std::size_t objectives = lambda_.size();
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    Exclusions exclusions;
    CohortMean mean = combine_cohort(round, cohort, Request("train_each").with(global), objectives * global.size(), objectives,
                                     aggregation_, exclusions, objectives, solver_->loss_use(), unpacking(objectives * global.size()));
    if (tracks()) expect_holders(round, mean.cohort, workload_);
    const std::vector<std::size_t> held = held_objectives(mean.cohort, workload_);
    const double length = options_.halving.in_round(options_.local, round.number()).path_length();
    const double path = length > 0 ? length : 1;
    std::vector<float> updates = tracks() ? tracked(std::move(mean.update), path) : std::move(mean.update);  // [M, d]
    const Range part = gramian_part(global.layout(), options_.gramian_of_heads);
    Gramian gramian = without_noise(gramian_of_rows(columns(updates, objectives, part), objectives), mean.update_noise, part.size());
    if (solver_->reads_scale() && !tracks()) gramian = scaled(std::move(gramian), 1 / (path * path));
    const std::vector<double> lambda = solve_for(*solver_,
                                                 {.gramian = gramian,
                                                  .losses = mean.losses,
                                                  .previous = lambda_.values(),
                                                  .previous_losses = lambda_.losses(),
                                                  .step = round.number()},
                                                 held)
                                           .objective_weights;
    std::vector<float> update = weighted_rows(updates, lambda);
    descend_in_heads(global.layout(), lambda, update);
    global.step(tracks() ? options_.server_lr * path : options_.server_lr, update);
    lambda_.set(lambda, held, mean.losses, *solver_);
    if (tracks()) tracked_ = std::move(updates);
    Metrics metrics = Metrics().with("train_loss", mean.losses).with("lambda", lambda);
    exclusions.record(metrics);
    return metrics;
  }

  bool works_on_sums() const override { return aggregation_.is_mean() && !compressor_; }
  bool works_on_noised_sums() const override { return works_on_sums() && !aggregation_.by_samples() && !tracks(); }

  void save(Record& state) const override {
    lambda_.save(state);
    if (!tracked_.empty()) state.arrays.insert_or_assign("tracked", Array(std::span(tracked_)));
  }
  void load(const Record& state) override {
    lambda_.load(state);
    tracked_.clear();
    if (!state.arrays.contains("tracked")) return;
    const auto tracked = float_array(state, "tracked", lambda_.size() * workload_.layout()->size());
    tracked_.assign(tracked.begin(), tracked.end());
  }

 private:
  bool tracks() const { return options_.tracking < 1; }

  /// y - beta (y - h) of the mean gradients h [M, d] that the averaged updates stand for; h itself in the first round.
  std::vector<float> tracked(std::vector<float> updates, double path) const {
    for (float& x : updates) x = static_cast<float>(x / path);
    if (tracked_.empty()) return updates;
    const auto beta = static_cast<float>(options_.tracking);
    for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = tracked_[i] - beta * (tracked_[i] - updates[i]);
    return updates;
  }

  /// Rebuilds the updates [M, d] of an answer where they come compressed. One that cannot be read is left without an update, which is a
  /// fault of the answer.
  OnReply unpacking(std::size_t size) const {
    if (!compressor_) return {};
    return [this, size](Reply& reply) {
      std::vector<float> updates(size);
      try {
        compressor_->reconstruct(reply.extra, lambda_.size(), updates);
        reply.update = std::move(updates);
      } catch (const Error&) {
        reply.update.clear();
      }
      reply.extra = {};
    };
  }

  FsmgdaOptions options_;
  std::shared_ptr<const Compressor> compressor_;  ///< null: updates come as they are
  Aggregation aggregation_;
  std::unique_ptr<WeightSolver> solver_;
  KeptLambda lambda_;
  std::vector<float> tracked_;  ///< y [M, d], in the units of gradients; empty before the first round, and without tracking
  const Workload& workload_;
};

class FsmgdaClient : public ClientHalf {
 public:
  FsmgdaClient(const FsmgdaOptions& options, std::shared_ptr<const Compressor> compressor, const Workload& workload, int client)
      : local_(options.local), halving_(options.halving), compressor_(std::move(compressor)), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    expect(request.verb == "train_each", "fsmgda client: expected the verb train_each, found '{}'", request.verb);
    const auto oracle = workload_.oracle(client_);
    const auto theta = request.theta(oracle->layout()->size());
    const LocalTrainingOptions options = halving_.in_round(local_, request.round);
    Reply reply;
    reply.num_samples = oracle->num_samples();
    reply.update.reserve(oracle->num_objectives() * theta.size());
    const std::vector<double> factors = workload_.objective_factors(client_);
    for (std::size_t k = 0; k < oracle->num_objectives(); ++k) {
      const Random draws = Random(stream, "train").substream("objective", k);
      const LocalUpdate local = train_on_objective(options, *oracle, theta, k, factors.empty() ? 1 : factors[k], draws);
      reply.update.insert(reply.update.end(), local.update.begin(), local.update.end());
      reply.losses.push_back(local.losses[0]);
    }
    if (compressor_) reply.extra = compressor_->compress(std::exchange(reply.update, {}), oracle->num_objectives(), {stream, "sketch"});
    return reply;
  }

 private:
  LocalTrainingOptions local_;
  RateHalving halving_;
  std::shared_ptr<const Compressor> compressor_;  ///< null: sends the updates as they are
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
  visit.real("tracking", tracking, 1e-6, 1,
             "beta of the server's tracked gradients y <- y - beta (y - h), where h is the updates over local_steps client_lr (MoCo); 1: "
             "each round's updates as they are");
  visit.component("compressor", compressor, compressors(), "how clients send their M updates");
  visit.boolean("gramian_of_heads", gramian_of_heads, "include the heads in the Gramian");
}

Strategy make_fsmgda(const FsmgdaOptions& options, const Workload& workload) {
  check_gradients("fsmgda", workload);
  check_client_weighting(parse_client_weighting(options.client_weighting), workload);
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, parse_client_weighting(options.client_weighting)}, options.cohort_size, workload);
  const std::shared_ptr<const Compressor> compressor =
      options.compressor.name == "exact" ? nullptr : std::shared_ptr<const Compressor>(make_compressor(options.compressor));
  expect(!compressor || compressor->protocol() == GramianProtocol::kOneWay,
         "config: expected a one-way compressor of jacobians for fsmgda, found '{}' with its options", options.compressor.name);
  return {.server = std::make_unique<FsmgdaServer>(options, compressor, workload),
          .client = [options, compressor,
                     &workload](int client) { return std::make_unique<FsmgdaClient>(options, compressor, workload, client); },
          .gradients_per_round = static_cast<std::int64_t>(workload.num_objectives()) * options.local.local_steps};
}

}  // namespace paretofl
