#include "paretofl/strategies/fedmoa.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "paretofl/aggregators/mean.h"
#include "paretofl/aggregators/task_clusters.h"
#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/local/learning_rate.h"
#include "paretofl/local/reward_weights.h"
#include "paretofl/rounds/objective_holders.h"
#include "paretofl/rounds/unmoved_weights.h"
#include "paretofl/strategies/fedmoa_figures.h"
#include "paretofl/strategies/fedmoa_messages.h"
#include "paretofl/strategies/fedmoa_sums.h"

namespace paretofl {
namespace {

const std::vector<std::string> kClusterKinds{"accuracy", "rewards", "task"};

std::string cluster_of(const std::string& kind, const RewardSteps& steps) {
  if (kind == "task") return steps.task();
  if (kind == "accuracy") return steps.reward_names().front();
  std::vector<std::string> names = steps.reward_names();
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) all += name + '\n';
  return all;
}

/// The weights of "NAME=WEIGHT" texts. Throws Error on any other text, and on names that are no rewards or come twice.
NamedWeights read_named_weights(const std::vector<std::string>& texts, const std::vector<std::string>& reward_names) {
  NamedWeights weights;
  for (const std::string& text : texts) {
    const std::size_t at = text.rfind('=');
    const std::string name = text.substr(0, at);
    double weight = 0;
    const char* const begin = text.data() + (at == std::string::npos ? text.size() : at + 1);
    const auto [end, fault] = std::from_chars(begin, text.data() + text.size(), weight);
    const bool is_weight = fault == std::errc() && end == text.data() + text.size() && std::isfinite(weight) && weight >= 0;
    expect(is_weight, "strategy.named_weights: expected NAME=WEIGHT with a number of at least 0, found '{}'", printable(text));
    expect(std::find(reward_names.begin(), reward_names.end(), name) != reward_names.end(),
           "strategy.named_weights: expected one of the rewards {}, found '{}'", fmt::join(reward_names, ", "), printable(name));
    expect(weights.emplace(name, weight).second, "strategy.named_weights: expected each reward once, found '{}' twice", printable(name));
  }
  return weights;
}

/// What a client's rewards start with [K], in their order. Throws Error where the options don't say it.
std::vector<double> first_weights(const FedGrpoOptions& options, const std::vector<std::string>& own, const NamedWeights& named,
                                  int client) {
  const auto rewards = static_cast<double>(own.size());
  if (options.accuracy_weight > 0 && own.size() > 1) {
    std::vector<double> weights(own.size(), (1 - options.accuracy_weight) / (rewards - 1));
    weights.front() = options.accuracy_weight;
    return weights;
  }
  if (named.empty()) {
    if (options.reward_weights.empty()) return std::vector<double>(own.size(), 1 / rewards);
    expect(own.size() == options.reward_weights.size(),
           "strategy.reward_weights: expected {} numbers for the rewards of client {}, found {}", own.size(), client,
           options.reward_weights.size());
    return options.reward_weights;
  }
  std::vector<double> weights;
  double sum = 0;
  for (const std::string& name : own) {
    const auto found = named.find(name);
    expect(found != named.end(), "strategy.named_weights: expected a weight of '{}', a reward of client {}, found none", printable(name),
           client);
    weights.push_back(found->second);
    sum += found->second;
  }
  expect(sum > 0, "strategy.named_weights: expected a positive weight for a reward of client {}, found zeros alone", client);
  expect(std::isfinite(sum), "strategy.named_weights: expected weights whose sum is a finite number, found a larger one for client {}",
         client);
  for (double& weight : weights) weight /= sum;
  return weights;
}

class FedMoaServer : public ServerHalf {
 public:
  /// `frozen` says why weights that should adapt can't, if so.
  FedMoaServer(const FedMoaOptions& options, const std::vector<std::string>& reward_names, const std::string& frozen)
      : options_(options),
        aggregation_(options.aggregation, ClientWeighting::kSamples),
        names_(reward_names),
        unmoved_(options.adaptive_weights ? frozen : "", options.adaptive_weights && frozen.empty()) {}

  Metrics run_round(Round& round, Parameters& global) override {
    unmoved_.before_round();
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options_.cohort_size));
    Request request = Request("train").with(global);
    for (const auto& [cluster, weights] : weights_)
      request.extra.records[fedmoa::kClusters].records.emplace(cluster, fedmoa::named(weights));
    if (round.sums_only()) return run_on_sums(round, cohort, std::move(request), global);
    Replies replies = round.broadcast(cohort, request);
    Exclusions exclusions;
    aggregation_.keep_usable(replies, global.size(), 0, exclusions);
    std::vector<RewardReport> reports;
    std::erase_if(replies.replies, [&](const Reply& reply) {
      try {
        reports.push_back(fedmoa::read_report(reply, names_, options_.adaptive_weights));
        return false;
      } catch (const Error&) {
        exclusions.add(reply.client, Fault::kMalformed);
        return true;
      }
    });
    aggregation_.expect_enough(replies.size());
    std::vector<double> shares;
    if (options_.accuracy_aggregation) {
      TaskClusters clusters = task_clusters(reports, options_.epsilon);
      shares = std::move(clusters.shares);
      for (auto& [cluster, weights] : clusters.weights) weights_.insert_or_assign(cluster, std::move(weights));
    } else {
      shares = client_shares(replies, ClientWeighting::kSamples);
    }
    const std::vector<float> update = aggregation_.combine(replies, global.size(), shares);
    Metrics metrics = fedmoa_figures(replies, reports, names_, options_.adaptive_weights);
    metrics.set("client_share", shares);
    if (unmoved_.judges()) {
      unmoved_.after_round(round.number(), moves_of(replies, reports),
                           options_.hypergradient_rate * static_cast<double>(options_.local.local_steps - 1));
    }
    exclusions.record(metrics);
    global.step(1, update);
    return metrics;
  }

  bool works_on_sums() const override {
    const bool known_clusters = !options_.accuracy_aggregation || options_.clusters == "accuracy";
    return aggregation_.is_mean() && known_clusters && options_.local_evaluation_every == 0;
  }
  bool works_on_noised_sums() const override { return false; }

  void save(Record& state) const override {
    Record& clusters = state.records[fedmoa::kClusters];
    for (const auto& [cluster, weights] : weights_) clusters.records.emplace(cluster, fedmoa::named(weights));
  }
  void load(const Record& state) override {
    unmoved_.resume();
    weights_.clear();
    for (const auto& [cluster, weights] : state.record(fedmoa::kClusters).records) weights_.emplace(cluster, fedmoa::read_weights(weights));
  }

 private:
  Metrics run_on_sums(Round& round, const Cohort& cohort, Request request, Parameters& global) {
    fedmoa::SummedRound summed =
        fedmoa::sum_round(round, cohort, std::move(request), names_, global.size(), options_.epsilon, options_.accuracy_aggregation);
    for (auto& [cluster, weights] : summed.weights) weights_.insert_or_assign(cluster, std::move(weights));
    global.step(1, summed.update);
    return std::move(summed.metrics);
  }

  /// What the weights of clients did that trained for the first time, without those whose rewards are not such as the options start.
  std::vector<UnmovedWeights::Client> moves_of(const Replies& replies, const std::vector<RewardReport>& reports) const {
    const NamedWeights named = read_named_weights(options_.named_weights, names_);
    std::vector<UnmovedWeights::Client> moves;
    std::size_t m = 0;
    for (const Reply& reply : replies) {
      std::vector<std::string> own;
      UnmovedWeights::Client move;
      for (const auto& [name, weight] : reports[m++].weights) {
        own.push_back(name);
        move.end.push_back(weight);
      }
      for (const auto& [name, delta] : reply.extra.record(fedmoa::kHypergradient).scalars) move.hypergradients.push_back(delta);
      try {
        move.start = first_weights(options_, own, named, static_cast<int>(reply.client));
        moves.push_back(std::move(move));
      } catch (const Error&) {  // of a client that lies about its rewards
      }
    }
    return moves;
  }

  FedMoaOptions options_;
  Aggregation aggregation_;
  std::vector<std::string> names_;                                 ///< [M]
  std::map<std::string, NamedWeights, std::less<>> weights_ = {};  ///< of each cluster
  UnmovedWeights unmoved_;
};

class FedMoaClient : public ClientHalf {
 public:
  FedMoaClient(const FedMoaOptions& options, std::unique_ptr<RewardSteps> steps, const std::vector<std::string>& all_rewards, int client)
      : options_(options),
        steps_(std::move(steps)),
        cluster_(cluster_of(options.clusters, *steps_)),
        summed_(all_rewards, options.epsilon) {
    const std::vector<std::string>& names = steps_->reward_names();
    const std::vector<double> first = first_weights(options, names, read_named_weights(options.named_weights, all_rewards), client);
    for (std::size_t k = 0; k < names.size(); ++k) weights_[names[k]] = first[k];
  }

  Reply handle(const Request& request, StreamId stream) override {
    if (request.verb == fedmoa::kRefine) return summed_.refine(request);
    if (request.verb == fedmoa::kWeigh) return summed_.weigh(request);
    if (request.verb == fedmoa::kShare) return summed_.share(request);
    expect(request.verb == "train", "fedmoa client: expected the verb train, {}, {} or {}, found '{}'", fedmoa::kRefine, fedmoa::kWeigh,
           fedmoa::kShare, request.verb);
    const auto theta = request.theta(steps_->layout()->size());
    RewardWeights weights(starting_weights(request), options_.hypergradient_rate,
                          options_.hypergradient == "cosine" ? HypergradientKind::kCosine : HypergradientKind::kInnerProduct);
    steps_->start_round(stream);
    std::vector<double> hidden(options_.adaptive_weights ? steps_->reward_names().size() * steps_->hidden_size() : 0);
    LocalUpdate local = train_locally(
        options_.local, theta, 1,
        [&](std::int64_t step, auto at, std::span<double> losses, std::span<float> gradient) {
          losses[0] = steps_->step(step, at, weights.weights(), gradient, hidden);
          if (options_.adaptive_weights) weights.observe(hidden);
        },
        [&](std::int64_t step) { return rate(request.round, step); });
    for (std::size_t k = 0; k < steps_->reward_names().size(); ++k) weights_[steps_->reward_names()[k]] = weights.weights()[k];
    Reply reply = answer(request, std::move(local));
    if (request.extra.scalars.contains(fedmoa::kOnSums)) {
      const RewardReport report{cluster_, steps_->reward_names().front(), weights_, reply.num_samples};
      return summed_.trained(std::move(reply), report, request, options_.accuracy_aggregation);
    }
    if (options_.adaptive_weights) reply.extra.records.emplace(fedmoa::kHypergradient, by_name(weights.mean_hypergradients()));
    return reply;
  }

  void end_round() noexcept override { summed_.clear(); }
  void save(Record& state) const override {
    if (options_.adaptive_weights) state.records.insert_or_assign(fedmoa::kWeights, fedmoa::named(weights_));
  }
  void load(const Record& state) override {
    if (!options_.adaptive_weights) return;
    const NamedWeights saved = fedmoa::read_weights(state.record(fedmoa::kWeights));
    for (auto& [name, weight] : weights_) {
      expect(saved.contains(name), "fedmoa client: expected a saved weight of '{}', found none", name);
      weight = saved.find(name)->second;
    }
  }

 private:
  /// [K], in the order of the steps' rewards.
  std::vector<double> starting_weights(const Request& request) const {
    NamedWeights merged = weights_;
    const auto clusters = request.extra.records.find(fedmoa::kClusters);
    const bool shared = clusters != request.extra.records.end() && clusters->second.records.contains(cluster_);
    if (options_.adaptive_weights && shared) {
      merged = merged_weights(weights_, fedmoa::read_weights(clusters->second.record(cluster_)),
                              options_.kept_weights == "shared" ? KeptWeights::kShared : KeptWeights::kOwn);
    }
    std::vector<double> weights;
    for (const std::string& name : steps_->reward_names()) weights.push_back(merged.at(name));
    return weights;
  }

  double rate(std::uint32_t round, std::int64_t step) const {
    const auto steps = static_cast<double>(options_.local.local_steps);
    const RateSchedule schedule{.warmup = static_cast<double>(options_.warmup_steps),
                                .total = steps * static_cast<double>(options_.cosine_rounds)};
    return scheduled_rate(schedule, options_.local.client_lr, (static_cast<double>(round) - 1) * steps + static_cast<double>(step));
  }

  Reply answer(const Request& request, LocalUpdate local) const {
    Reply reply;
    reply.num_samples = steps_->num_samples();
    reply.extra.texts = {{fedmoa::kCluster, cluster_}, {fedmoa::kAccuracy, steps_->reward_names().front()}};
    reply.extra.records.emplace(fedmoa::kWeights, fedmoa::named(weights_));
    reply.extra.scalars.emplace("loss", local.losses[0]);
    for (const auto& [name, values] : steps_->figures()) {
      const auto& of_rewards = fedmoa::kOfRewards;
      if (std::find(of_rewards.begin(), of_rewards.end(), name) != of_rewards.end()) {
        reply.extra.records.emplace(name, by_name(values));
      } else {
        reply.extra.scalars.emplace(name, values.at(0));
      }
    }
    if (options_.local_evaluation_every > 0 && request.round % options_.local_evaluation_every == 0) {
      const auto start = request.theta(local.update.size());
      std::vector<float> trained(start.begin(), start.end());
      for (std::size_t i = 0; i < trained.size(); ++i) trained[i] -= local.update[i];
      reply.extra.records.emplace(fedmoa::kLocal, by_name(steps_->evaluate(trained)));
    }
    reply.update = std::move(local.update);
    return reply;
  }

  Record by_name(const std::vector<double>& rewards) const {
    Record record;
    for (std::size_t k = 0; k < rewards.size(); ++k) record.scalars.emplace(steps_->reward_names().at(k), rewards[k]);
    return record;
  }

  FedMoaOptions options_;
  std::unique_ptr<RewardSteps> steps_;
  std::string cluster_;
  NamedWeights weights_;  ///< at the end of the client's last round
  fedmoa::SummedAnswers summed_;
};

}  // namespace

void FedGrpoOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  local.describe(visit);
  local.describe_regularization(visit);
  aggregation.describe(visit);
  visit.integer("cosine_rounds", cosine_rounds, 0, kMaxInt,
                "rounds over which client_lr falls to 0 along half a cosine, where it stays; 0: it does not fall");
  visit.integer("warmup_steps", warmup_steps, 0, kMaxInt,
                "number of first local steps, counted over the rounds, in which client_lr rises linearly from 0; their rounds count in "
                "cosine_rounds");
  visit.reals("reward_weights", reward_weights, 0, 1,
              "weights that a client's rewards start with, in their order; they sum to 1; empty: uniform");
  visit.texts("named_weights", named_weights,
              "starting weights by the names of all rewards, as \"NAME=WEIGHT\"; those of a client are scaled to sum to 1; instead of "
              "reward_weights");
  visit.real("accuracy_weight", accuracy_weight, 0, 1,
             "weight that a client's first reward, its accuracy, starts with, while the others share the rest equally; instead of "
             "reward_weights and named_weights; 0: as those say");
  visit.integer("local_evaluation_every", local_evaluation_every, 0, kMaxInt,
                "rounds between evaluations of the clients' own models, on their own machines; 0: never");
}

void FedMoaOptions::describe(OptionVisitor& visit) {
  FedGrpoOptions::describe(visit);
  visit.boolean("adaptive_weights", adaptive_weights, "let hypergradients move the rewards' weights");
  visit.boolean("accuracy_aggregation", accuracy_aggregation, "aggregate by tasks and accuracy weights instead of by examples alone");
  visit.real("hypergradient_rate", hypergradient_rate, 0, kInfinity, "step size of the weights (lambda)");
  visit.choice(
      "hypergradient", hypergradient, {"inner_product", "cosine"},
      "what moves a weight at a step: the inner product of its reward's gradients at this step and the one before, or their cosine, "
      "which does not depend on the scale of the model and the reward");
  visit.real("epsilon", epsilon, 1e-12, kInfinity, "added to an accuracy weight before its inverse is taken");
  visit.choice("clusters", clusters, kClusterKinds,
               "what clients of a cluster have in common: the accuracy reward, all rewards, or the task's label");
  visit.choice(
      "kept_weights", kept_weights, {"own", "shared"},
      "where a client has rewards that its cluster does not share: own keeps their weights and scales the cluster's to the rest of "
      "1; shared takes the cluster's weights and scales the client's own");
}

namespace {

/// Why no reward's weight can move, or an empty text.
std::string frozen_weights(const FedMoaOptions& options, const Workload& workload, const std::vector<int>& own) {
  if (options.local.local_steps < 2) return "strategy.local_steps is 1, and the first local step of a round has no step before it";
  if (options.hypergradient_rate == 0) return "strategy.hypergradient_rate is 0";
  const bool alone = !own.empty() && std::all_of(own.begin(), own.end(),
                                                 [&](int client) { return workload.reward_steps(client)->reward_names().size() == 1; });
  return alone ? "every client has a single reward" : "";
}

}  // namespace

Strategy make_fedmoa(const FedMoaOptions& options, const Workload& workload) {
  expect(workload.has_reward_steps(), "fedmoa: expected a workload whose clients train on rewards, found one with learners only");
  check_cohort_size(options.cohort_size, workload);
  check_aggregation({options.aggregation, ClientWeighting::kSamples}, options.cohort_size, workload);
  expect(options.cosine_rounds == 0 || options.warmup_steps < options.cosine_rounds * options.local.local_steps,
         "strategy.warmup_steps: expected less than the {} local steps of cosine_rounds, found {}",
         options.cosine_rounds * options.local.local_steps, options.warmup_steps);
  const std::vector<int> own = workload.own_clients();
  expect(options.local_evaluation_every == 0 || own.empty() || workload.reward_steps(own.front())->has_evaluation(),
         "strategy.local_evaluation_every: expected 0 for a workload without test questions, found {}", options.local_evaluation_every);
  if (!own.empty()) workload.reward_steps(own.front())->expect_local_steps(options.local.local_steps);
  if (!options.reward_weights.empty()) const RewardWeights on_the_simplex(options.reward_weights, 0);
  expect(options.reward_weights.empty() || options.named_weights.empty(),
         "strategy.named_weights: expected none beside reward_weights, found {}", options.named_weights.size());
  expect(options.accuracy_weight == 0 || (options.reward_weights.empty() && options.named_weights.empty()),
         "strategy.accuracy_weight: expected 0 beside reward_weights or named_weights, found {}", options.accuracy_weight);
  const NamedWeights named = read_named_weights(options.named_weights, workload.objective_names());
  if (!options.reward_weights.empty() || !named.empty()) {
    for (const int client : own) first_weights(options, workload.reward_steps(client)->reward_names(), named, client);
  }
  return {.server = std::make_unique<FedMoaServer>(options, workload.objective_names(),
                                                   options.adaptive_weights ? frozen_weights(options, workload, own) : ""),
          .client =
              [options, &workload](int client) {
                return std::make_unique<FedMoaClient>(options, workload.reward_steps(client), workload.objective_names(), client);
              },
          .gradients_per_round = options.local.local_steps};
}

Strategy make_fedgrpo(const FedGrpoOptions& options, const Workload& workload) {
  FedMoaOptions both_off{options};
  both_off.adaptive_weights = false;
  both_off.accuracy_aggregation = false;
  return make_fedmoa(both_off, workload);
}

}  // namespace paretofl
