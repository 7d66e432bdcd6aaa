#include "paretofl/personalized/ditto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/core/error.h"
#include "paretofl/local/proximal_term.h"
#include "paretofl/rounds/learner_client.h"
#include "paretofl/scalarized/kept_vector.h"

namespace paretofl {
namespace {

constexpr const char* kOwnModel = "own_model";

class DittoServer : public ServerHalf {
 public:
  DittoServer(const DittoOptions& options, std::vector<double> lambda, const Workload& workload)
      : options_(options),
        aggregation_({}, parse_client_weighting(options.client_weighting)),
        lambda_(std::move(lambda)),
        models_(workload.initial_parameters(), workload.num_clients()) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.base.cohort_size));
    Exclusions exclusions;
    const CohortMean mean = combine_cohort(round, cohort, Request("train").with(global).with_objective_weights(lambda_), global.size(),
                                           lambda_.size(), aggregation_, exclusions);
    for (const Reply& reply : own_models(round, mean.cohort, exclusions)) {
      std::copy(reply.update.begin(), reply.update.end(), models_.of(reply.client).begin());
    }
    global.step(options_.server_lr, mean.update);
    Metrics metrics = Metrics().with("train_loss", mean.losses);
    exclusions.record(metrics);
    return metrics;
  }

  const ClientModels* client_models() const override { return &models_; }

  void save(Record& state) const override { state.records.insert_or_assign("models", models_.save()); }
  void load(const Record& state) override { models_.load(state.record("models")); }

 private:
  Replies own_models(Round& round, const Cohort& cohort, Exclusions& exclusions) const {
    const Round::Measurement measured(round);
    Replies replies;
    try {
      replies = round.broadcast(cohort, Request(kOwnModel));
    } catch (const RoundAbandoned&) {
      return {};  // the round itself can go on
    }
    keep_trained_models(replies, models_.layout().size(), 0, exclusions);
    return replies;
  }

  DittoOptions options_;
  Aggregation aggregation_;
  std::vector<double> lambda_;  ///< of the objectives [M]
  ClientModels models_;         ///< v_i, as they were gathered
};

class DittoClient : public ClientHalf {
 public:
  DittoClient(const DittoOptions& options, const Workload& workload, int client)
      : options_(options), workload_(workload), client_(client), model_("model", workload.layout()->size()) {
    const Parameters initial = workload.initial_parameters();
    std::copy(initial.values().begin(), initial.values().end(), model_.values().begin());
  }

  Reply handle(const Request& request, StreamId stream) override {
    const auto oracle = workload_.oracle(client_);
    if (request.verb == kOwnModel) {
      if (own_failure_) throw Error(*own_failure_);
      Reply reply;
      reply.num_samples = oracle->num_samples();
      reply.update.assign(model_.values().begin(), model_.values().end());
      return reply;
    }
    expect(request.verb == "train", "ditto client: expected the verb train or {}, found '{}'", kOwnModel, request.verb);
    const auto theta = request.theta(oracle->layout()->size());
    const auto lambda = request.lambda(oracle->num_objectives());
    const LocalTrainingOptions local = options_.base.halving.in_round(options_.base.local, request.round);
    Reply reply = to_reply(train_locally(local, *oracle, theta, lambda, Random(stream, "train")), *oracle);
    train_own(*oracle, theta, lambda, stream, request.round);
    return reply;
  }

  void save(Record& state) const override { model_.save(state); }
  void load(const Record& state) override { model_.load(state); }

 private:
  void train_own(const GradientOracle& oracle, std::span<const float> theta, std::span<const double> lambda, StreamId stream,
                 std::uint32_t round) {
    LocalTrainingOptions own = options_.base.local;
    own.local_steps = options_.own_steps;
    own.client_lr = options_.own_lr;
    own = options_.base.halving.in_round(own, round);
    const ProximalTerm pull{options_.lambda, theta};
    const Random draws(stream, "own model");
    own_failure_.reset();
    try {
      const LocalUpdate trained = train_locally(own, model_.values(), lambda.size(),
                                                [&](std::int64_t step, auto at, std::span<double> losses, std::span<float> gradient) {
                                                  oracle.weighted_gradient(at, lambda, {draws, step}, losses, gradient);
                                                  pull.add_to(gradient, at);
                                                });
      expect(std::all_of(trained.update.begin(), trained.update.end(), [](float x) { return std::isfinite(x); }),
             "local training: expected a finite update, found one that is not");
      for (std::size_t j = 0; j < trained.update.size(); ++j) model_.values()[j] -= trained.update[j];
    } catch (const Error& failure) {
      own_failure_ = fmt::format("own model, which stays as it was: {}", failure.what());
    }
  }

  DittoOptions options_;
  const Workload& workload_;
  int client_;
  KeptVector model_;                        ///< v_i
  std::optional<std::string> own_failure_;  ///< why it is not gathered in this round
};

}  // namespace

void DittoOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("lambda", lambda, 0, kInfinity, "how strongly the clients' own models are pulled to the global one; 0: not at all");
  visit.integer("own_steps", own_steps, 1, kMaxInt, "steps of a client's own model per round (s)");
  visit.real("own_lr", own_lr, 0, kInfinity, "learning rate of these steps (eta)");
  describe_client_weighting(visit, client_weighting);
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate of the global model");
}

Strategy make_ditto(const DittoOptions& options, const Workload& workload) {
  std::vector<double> lambda = check_scalarized("ditto", options.base, workload);
  return {.server = std::make_unique<DittoServer>(options, std::move(lambda), workload),
          .client = [options, &workload](int client) { return std::make_unique<DittoClient>(options, workload, client); },
          .gradients_per_round = options.base.local.local_steps + options.own_steps};
}

}  // namespace paretofl
