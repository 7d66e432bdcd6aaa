#include "paretofl/scalarized/client_update_rule.h"

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/rounds/client_figures.h"

namespace paretofl {
namespace {

class UpdateRuleServer : public ServerHalf {
 public:
  UpdateRuleServer(std::int64_t cohort_size, ClientWeighting weighting, bool with_losses, std::vector<double> lambda,
                   std::unique_ptr<ClientUpdateRule> rule)
      : cohort_size_(static_cast<std::size_t>(cohort_size)),
        aggregation_({}, weighting),
        with_losses_(with_losses),
        lambda_(std::move(lambda)),
        rule_(std::move(rule)) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(cohort_size_);
    Replies replies = round.broadcast(cohort, Request("train").with(global).with_objective_weights(lambda_));
    Exclusions exclusions;
    aggregation_.keep_usable(replies, global.size(), lambda_.size(), exclusions);
    ClientUpdates updates{.replies = replies, .shares = {}, .losses = {}};
    if (with_losses_) {
      keep_readable_figures(replies, lambda_.size(), {kStartLosses}, exclusions);
      aggregation_.expect_enough(replies.size());
      for (const Reply& reply : replies) {
        updates.losses.push_back(scalarized(double_array(reply.extra, kStartLosses, lambda_.size()), lambda_));
      }
    }
    updates.shares = client_shares(replies, aggregation_.weighting());
    Metrics metrics = Metrics().with("train_loss", aggregation_.losses(replies, lambda_.size())).with("lambda", lambda_);
    global.step(1, rule_->combine(round, updates, exclusions, metrics));
    exclusions.record(metrics);
    return metrics;
  }

  void save(Record& state) const override { rule_->save(state); }
  void load(const Record& state) override { rule_->load(state); }

 private:
  std::size_t cohort_size_;
  Aggregation aggregation_;
  bool with_losses_;
  std::vector<double> lambda_;  ///< [M]
  std::unique_ptr<ClientUpdateRule> rule_;
};

}  // namespace

Strategy make_update_rule_strategy(const char* strategy, const ScalarizedOptions& options, const std::string& client_weighting,
                                   const std::string& losses, std::unique_ptr<ClientUpdateRule> rule, const Workload& workload) {
  std::vector<double> lambda = check_scalarized(strategy, options, workload);
  check_losses(losses, workload);
  return {
      .server = std::make_unique<UpdateRuleServer>(options.cohort_size, parse_client_weighting(client_weighting), !losses.empty(),
                                                   std::move(lambda), std::move(rule)),
      .client = [options, losses, &workload](int client) { return std::make_unique<ScalarizedClient>(options, workload, client, losses); },
      .gradients_per_round = options.local.local_steps};
}

}  // namespace paretofl
