#include "paretofl/scalarized/mean_and_figure.h"

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/core/round.h"
#include "paretofl/rounds/client_figures.h"

namespace paretofl {
namespace {

class MeanAndFigureServer : public ServerHalf {
 public:
  MeanAndFigureServer(std::int64_t cohort_size, ClientWeighting weighting, std::vector<double> lambda, MeanAndFigure method)
      : cohort_size_(static_cast<std::size_t>(cohort_size)),
        aggregation_({}, weighting),
        lambda_(std::move(lambda)),
        method_(std::move(method)) {}

  Metrics run_round(Round& round, Parameters& global) override {
    const Cohort cohort = round.sample_clients(cohort_size_);
    const Request request = Request("train").with(global).with_objective_weights(lambda_);
    Exclusions exclusions;
    CohortMean mean;
    if (round.sums_only()) {
      mean = round.sum(cohort, request,
                       {.by_samples = aggregation_.by_samples(),
                        .update = global.size(),
                        .losses = lambda_.size(),
                        .figures = {{method_.figure, 1}},
                        .loss_use = {.needed = false}});
    } else {
      mean = mean_of(round.broadcast(cohort, request), global.size(), exclusions);
    }
    Metrics metrics = Metrics().with("train_loss", std::move(mean.losses)).with("lambda", lambda_);
    method_.step(mean.update, mean.figures.at(method_.figure)[0], metrics);
    exclusions.record(metrics);
    global.step(1, mean.update);
    return metrics;
  }

  bool works_on_sums() const override { return true; }
  /// Noise on the one number would be noise on the length of the whole step.
  bool works_on_noised_sums() const override { return false; }

 private:
  CohortMean mean_of(Replies replies, std::size_t size, Exclusions& exclusions) const {
    aggregation_.keep_usable(replies, size, lambda_.size(), exclusions);
    keep_readable_figures(replies, 1, {method_.figure}, exclusions);
    aggregation_.expect_enough(replies.size());
    const std::vector<double> shares = client_shares(replies, aggregation_.weighting());
    CohortMean mean;
    mean.update = aggregation_.combine(replies, size, shares);
    mean.losses = aggregation_.losses(replies, lambda_.size());
    double figure = 0;
    std::size_t i = 0;
    for (const Reply& reply : replies) figure += shares[i++] * double_array(reply.extra, method_.figure, 1)[0];
    mean.figures[method_.figure] = {figure};
    return mean;
  }

  std::size_t cohort_size_;
  Aggregation aggregation_;
  std::vector<double> lambda_;  ///< [M]
  MeanAndFigure method_;
};

}  // namespace

Strategy make_mean_and_figure_strategy(const char* strategy, const ScalarizedOptions& options, const std::string& client_weighting,
                                       const std::string& losses, MeanAndFigure method, const Workload& workload) {
  std::vector<double> lambda = check_scalarized(strategy, options, workload);
  check_losses(losses, workload);
  const auto finish = method.finish;
  return {.server = std::make_unique<MeanAndFigureServer>(options.cohort_size, parse_client_weighting(client_weighting), std::move(lambda),
                                                          std::move(method)),
          .client = [options, losses, finish,
                     &workload](int client) { return std::make_unique<ScalarizedClient>(options, workload, client, losses, finish); },
          .gradients_per_round = options.local.local_steps};
}

}  // namespace paretofl
