#include "paretofl/scalarized/fedmdfg.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "paretofl/core/count_scalar.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/client_update_rule.h"
#include "paretofl/scalarized/expected_losses.h"
#include "paretofl/scalarized/fair_direction.h"
#include "paretofl/scalarized/step_search.h"
#include "paretofl/scalarized/step_trial_client.h"

namespace paretofl {
namespace {

constexpr double kZeroGradient = 1e-6;  ///< norm up to which a gradient is none

/// The clients of a round whose gradients are not zero.
struct LiveClients {
  std::vector<std::size_t> places;  ///< [n], among the round's replies
  Cohort cohort;
  std::vector<double> losses;    ///< f_i(theta) [n]
  std::vector<float> gradients;  ///< [n, d], scaled to one norm
  std::vector<double> lengths;   ///< [n], how many times as long g_i is as its row
};

LiveClients live_clients(const ClientUpdates& updates, double length) {
  LiveClients live;
  std::size_t place = 0;
  for (const Reply& reply : updates.replies) {
    if (std::sqrt(squared_norm(reply.update)) > kZeroGradient * length) {
      live.places.push_back(place);
      live.cohort.clients.push_back(reply.client);
      live.losses.push_back(updates.losses[place]);
      for (const float x : reply.update) live.gradients.push_back(static_cast<float>(x / length));
    }
    ++place;
  }
  live.cohort.sampled = live.cohort.size();
  if (!live.places.empty()) live.lengths = equalize_norms(live.gradients, live.places.size());
  return live;
}

class FedMdfgRule : public ClientUpdateRule {
 public:
  FedMdfgRule(const FedMdfgOptions& options, std::vector<double> lambda, const Workload& workload)
      : options_(options), lambda_(std::move(lambda)), size_(workload.layout()->size()), expected_(workload.num_clients()) {}

  std::vector<float> combine(Round& round, const ClientUpdates& updates, Exclusions& exclusions, Metrics& metrics) override {
    const LocalTrainingOptions local = options_.base.halving.in_round(options_.base.local, round.number());
    const double length = local.path_length();
    const Cohort cohort = updates.replies.cohort();
    const LiveClients live = live_clients(updates, length);
    const std::vector<float> earlier = gradients_of_missing(cohort);
    const double angle = fairness_angle(live.losses);
    const bool unfair = angle > options_.fair_angle || expected_.some_rose(cohort, updates.losses);
    std::vector<double> guidance = unfair ? fair_guidance(live.losses) : std::vector<double>();
    for (std::size_t i = 0; i < guidance.size(); ++i) guidance[i] *= live.lengths[i];  // of the gradients as they are
    FairDirection found;
    if (!live.places.empty()) found = fair_direction(live.gradients, guidance, earlier, size_);
    if (found.direction.empty() && !guidance.empty()) {
      guidance.clear();
      found = fair_direction(live.gradients, guidance, earlier, size_);
    }
    StepSearch::Found step;
    if (!found.direction.empty()) {
      const StepSearch search{.eta = options_.server_lr * length,
                              .first = earlier.empty() ? options_.search : 0,
                              .last = -options_.search,
                              .fairer = !guidance.empty()};
      step = find_step(round, search, live, found.direction, exclusions);
    }
    expected_.add(cohort, updates.losses);
    if (!live.places.empty()) keep_gradients(live);
    record(updates, live, found, guidance, metrics);
    metrics.set("fairness_angle", angle);
    metrics.set("trials", static_cast<double>(step.trials));
    metrics.set("server_lr", step.step / length);
    metrics.set("sufficient", step.sufficient ? 1.0 : 0.0);
    std::vector<float> direction(size_);
    if (!found.direction.empty()) add_scaled(direction, step.step, found.direction);
    return direction;
  }

  void save(Record& state) const override {
    expected_.save(state);
    Record& clients = state.records["last_gradients"];
    for (const auto& [client, gradient] : last_) {
      Record& record = clients.records[std::to_string(client)];
      record.scalars.emplace("client", client);
      record.arrays.emplace("gradient", Array(std::span(gradient)));
    }
  }
  void load(const Record& state) override {
    expected_.load(state);
    last_.clear();
    for (const auto& [name, record] : state.record("last_gradients").records) {
      const auto gradient = float_array(record, "gradient", size_);
      last_[static_cast<int>(count_scalar(record, "client"))] = {gradient.begin(), gradient.end()};
    }
  }

 private:
  std::vector<float> gradients_of_missing(const Cohort& cohort) const {
    std::vector<float> rows;
    for (const auto& [client, gradient] : last_) {
      if (!std::binary_search(cohort.clients.begin(), cohort.clients.end(), client))
        rows.insert(rows.end(), gradient.begin(), gradient.end());
    }
    return rows;
  }

  void keep_gradients(const LiveClients& live) {
    last_.clear();
    const std::span<const float> rows = live.gradients;
    for (std::size_t i = 0; i < live.places.size(); ++i) {
      const auto row = rows.subspan(i * size_, size_);
      last_[live.cohort.clients[i]] = {row.begin(), row.end()};
    }
  }

  StepSearch::Found find_step(Round& round, const StepSearch& search, const LiveClients& live, const std::vector<float>& direction,
                              Exclusions& exclusions) const {
    const std::span<const float> rows = live.gradients;
    std::vector<double> slopes;
    for (std::size_t i = 0; i < live.places.size(); ++i)
      slopes.push_back(live.lengths[i] * dot_product(rows.subspan(i * size_, size_), direction));
    Cohort asked = live.cohort;
    bool told_direction = false;
    return search.find(live.losses, slopes, [&](double step) {
      Request request(kTryStep);
      if (!told_direction) request = std::move(request).with(direction);
      told_direction = true;
      request.extra.scalars.emplace(kStep, step);
      Replies replies = round.broadcast(asked, request);
      std::erase_if(replies.replies, [&](const Reply& reply) {
        if (reply.losses.size() == lambda_.size()) return false;
        exclusions.add(reply.client, Fault::kWrongSize);
        return true;
      });
      if (replies.size() == 0) throw RoundAbandoned("fedmdfg: expected losses at a step from one client at least, found none");
      asked = replies.cohort();
      std::vector<std::optional<double>> losses(live.places.size());
      for (const Reply& reply : replies) {
        const auto at = std::lower_bound(live.cohort.clients.begin(), live.cohort.clients.end(), reply.client);
        losses[static_cast<std::size_t>(at - live.cohort.clients.begin())] = scalarized(reply.losses, lambda_);
      }
      return losses;
    });
  }

  static void record(const ClientUpdates& updates, const LiveClients& live, const FairDirection& found, const std::vector<double>& guidance,
                     Metrics& metrics) {
    std::vector<double> cohort, weights(updates.replies.size());
    for (const Reply& reply : updates.replies) cohort.push_back(reply.client);
    for (std::size_t i = 0; i < live.places.size(); ++i) weights[live.places[i]] = found.weights[i];
    metrics.set("cohort", std::move(cohort));
    metrics.set("client_losses", updates.losses);
    metrics.set("client_weight", std::move(weights));
    metrics.set("guidance_weight", guidance.empty() ? 0 : found.weights[live.places.size()]);
  }

  FedMdfgOptions options_;
  std::vector<double> lambda_;  ///< [M]
  std::size_t size_;            ///< d
  ExpectedLosses expected_;
  std::map<int, std::vector<float>> last_;  ///< g_i [d] of the last round that had any
};

}  // namespace

void FedMdfgOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("server_lr", server_lr, 0, kInfinity, "the step that the search is about, in units of the local steps' length (eta)");
  visit.real("fair_angle", fair_angle, 0, 90, "degrees between the losses and equal ones up to which the model is fair (theta)");
  visit.integer("search", search, 0, 30, "how many times the step may be doubled, and how many times halved (s); 0: one trial");
  describe_client_losses(visit, losses);
}

Strategy make_fedmdfg(const FedMdfgOptions& options, const Workload& workload) {
  check_plain_sgd("fedmdfg", options.base.local);
  std::vector<double> lambda = check_scalarized("fedmdfg", options.base, workload);
  Strategy strategy = make_update_rule_strategy("fedmdfg", options.base, "uniform", options.losses,
                                                std::make_unique<FedMdfgRule>(options, std::move(lambda), workload), workload);
  strategy.client = [options, &workload](int client) {
    return std::make_unique<StepTrialClient>(options.base, workload, client, options.losses);
  };
  strategy.gradients_per_round = 0;  // noise for single examples is refused, as the search is as long as the losses say
  return strategy;
}

}  // namespace paretofl
