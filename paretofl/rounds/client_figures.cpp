#include "paretofl/rounds/client_figures.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Means over the rows of a matrix [n, width].
std::vector<double> mean_row(const std::vector<double>& rows, std::size_t n) {
  std::vector<double> mean(rows.size() / n);
  for (std::size_t i = 0; i < rows.size(); ++i) mean[i % mean.size()] += rows[i] / static_cast<double>(n);
  return mean;
}

double mean_distance(const std::vector<double>& rows, const std::vector<double>& center) {
  const std::size_t n = rows.size() / center.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double square = 0;
    for (std::size_t k = 0; k < center.size(); ++k) square += std::pow(rows[i * center.size() + k] - center[k], 2);
    sum += std::sqrt(square);
  }
  return sum / static_cast<double>(n);
}

}  // namespace

void describe_record_steps(OptionVisitor& visit, bool& record_steps) {
  visit.boolean("record_steps", record_steps,
                "record lambda and the cosines between the objectives' gradients of every local step, of each client and in the mean over "
                "them; clients then send these numbers as well");
}

Reply to_reply(ObjectiveTraining training, const ObjectiveSteps& steps, bool with_steps) {
  Reply reply;
  reply.num_samples = steps.num_samples();
  reply.update = std::move(training.local.update);
  reply.losses = std::move(training.local.losses);
  std::map<std::string, std::vector<double>> figures = steps.figures();
  figures["lambda"] = std::move(training.lambda);
  figures["gradient_norm"] = std::move(training.gradient_norms);
  if (with_steps) figures["step_lambda"] = std::move(training.step_lambda);
  if (with_steps && !training.step_cosines.empty()) figures["step_cosine"] = std::move(training.step_cosines);
  for (const auto& [name, values] : figures) {
    for (const double value : values) expect(std::isfinite(value), "local training: expected a finite {}, found {}", name, value);
    reply.extra.arrays.emplace(name, Array(std::span(values)));
  }
  return reply;
}

Metrics client_figures(const Replies& replies, std::size_t objectives, std::span<const float> mean_update) {
  Metrics metrics;
  std::vector<double> cohort;
  std::map<std::string, std::vector<double>> by_client;
  for (const Reply& reply : replies) {
    cohort.push_back(reply.client);
    expect(reply.losses.size() == objectives, "client {}: expected {} losses, found {}", reply.client, objectives, reply.losses.size());
    by_client["loss"].insert(by_client["loss"].end(), reply.losses.begin(), reply.losses.end());
    for (const auto& [name, first] : replies.begin()->extra.arrays) {
      const std::size_t width = name == "lambda" || name == "gradient_norm" ? objectives : first.size();
      const auto values = double_array(reply.extra, name, width);
      by_client[name].insert(by_client[name].end(), values.begin(), values.end());
    }
  }
  for (const auto& [name, rows] : by_client) {
    metrics.set("client_" + name, rows);
    if (name != "loss") metrics.set(name, mean_row(rows, replies.size()));
  }
  const std::vector<double>& lambda = by_client.at("lambda");
  metrics.set("lambda_spread", mean_distance(lambda, mean_row(lambda, replies.size())));
  double update_spread = 0;
  for (const Reply& reply : replies) {
    for (std::size_t i = 0; i < mean_update.size(); ++i) update_spread += std::pow(double{reply.update[i]} - mean_update[i], 2);
  }
  metrics.set("update_spread", update_spread / static_cast<double>(replies.size()));
  metrics.set("cohort", std::move(cohort));
  return metrics;
}

void keep_readable_figures(Replies& replies, std::size_t objectives, const std::vector<std::string>& required, Exclusions& exclusions) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> holders;  // of arrays by name and size
  for (const Reply& reply : replies) {
    for (const auto& [name, array] : reply.extra.arrays) holders[{name, array.size()}] += 1;
  }
  std::map<std::string, std::size_t, std::less<>> sizes;
  for (const auto& [array, count] : holders) {
    if (2 * count > replies.size()) sizes.insert(array);
  }
  for (const std::string& name : required) sizes.insert_or_assign(name, objectives);
  std::erase_if(replies.replies, [&](Reply& reply) {
    try {
      for (const auto& [name, size] : sizes) {
        const auto values = double_array(reply.extra, name, size);
        if (std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) continue;
        exclusions.add(reply.client, Fault::kNotFinite);
        return true;
      }
    } catch (const Error&) {
      exclusions.add(reply.client, Fault::kMalformed);
      return true;
    }
    std::erase_if(reply.extra.arrays, [&](const auto& array) { return !sizes.contains(array.first); });
    return false;
  });
}

TrainedCohort train_on_objectives(Round& round, const Cohort& cohort, const Request& request, std::size_t objectives, std::size_t size,
                                  const Aggregation& aggregation, Exclusions& exclusions, const std::vector<std::string>& beside,
                                  const std::function<void(Replies&)>& before_figures) {
  TrainedCohort trained;
  if (round.sums_only()) {
    CohortMean mean = round.sum(cohort, request,
                                {.by_samples = aggregation.by_samples(),
                                 .update = size,
                                 .losses = objectives,
                                 .figures = {{"lambda", objectives}, {"gradient_norm", objectives}},
                                 .loss_use = {.needed = false},
                                 .figures_for_record = true});
    trained.update = std::move(mean.update);
    for (auto& [name, values] : mean.figures) trained.metrics.set(name, std::move(values));
    trained.metrics.set("train_loss", std::move(mean.losses));
    return trained;
  }
  Replies replies = round.broadcast(cohort, request);
  aggregation.keep_usable(replies, size, objectives, exclusions);
  std::vector<std::string> required = kClientFigures;
  required.insert(required.end(), beside.begin(), beside.end());
  keep_readable_figures(replies, objectives, required, exclusions);
  aggregation.expect_enough(replies.size());
  trained.update = aggregation.combine(replies, size);
  if (before_figures) before_figures(replies);
  trained.metrics = client_figures(replies, objectives, trained.update);
  trained.metrics.set("train_loss", aggregation.losses(replies, objectives));
  exclusions.record(trained.metrics);
  return trained;
}

}  // namespace paretofl
