#include "paretofl/evaluation/model_evaluation.h"

#include "paretofl/objectives/spaced_preferences.h"

namespace paretofl {
namespace {

Evaluation mean_of(const std::vector<Evaluation>& clients) {
  Evaluation mean;
  const double share = 1.0 / static_cast<double>(clients.size());
  for (const Evaluation& client : clients) {
    for (const auto& [metric, values] : client.per_objective) {
      std::vector<double>& sums = mean.per_objective[metric];
      sums.resize(values.size());
      for (std::size_t k = 0; k < values.size(); ++k) sums[k] += share * values[k];
    }
    for (const auto& [metric, value] : client.overall) mean.overall[metric] += share * value;
  }
  return mean;
}

FrontEvaluation front_of(const ModelSimplex& simplex, const Workload& workload, ThreadPool& pool) {
  FrontEvaluation front{.preferences = simplex.preferences(), .models = {}};
  for (const std::vector<double>& preference : front.preferences) {
    front.models.push_back(workload.evaluate(simplex.at(preference), Split::kTest, pool));
  }
  return front;
}

/// Of a model that takes a preference as an input, where all clients share one; else empty.
FrontEvaluation front_of(const RunModels& models, const Workload& workload, ThreadPool& pool) {
  if (models.simplex != nullptr) return front_of(*models.simplex, workload, pool);
  const std::vector<Preference> preferences = workload.front_preferences();
  if (preferences.empty() || models.differ()) return {};
  const std::span<const float> theta = models.clients != nullptr ? models.clients->of(0) : models.shared;
  FrontEvaluation front{.preferences = weights_of(preferences), .models = {}};
  for (const Preference& preference : preferences) front.models.push_back(workload.evaluate_at(theta, preference, Split::kTest, pool));
  return front;
}

}  // namespace

std::map<Split, ModelEvaluation> evaluate_models(const RunModels& models, const Workload& workload, const std::vector<Split>& splits,
                                                 ThreadPool& pool) {
  std::map<Split, ModelEvaluation> evaluations;
  for (const Split split : splits) {
    if (!workload.has_split(split)) continue;
    ModelEvaluation& evaluation = evaluations[split];
    if (models.clients == nullptr) {
      evaluation.mean = workload.evaluate(models.shared, split, pool);
    } else {
      evaluation.clients = workload.evaluate_clients(*models.clients, split, pool);
      evaluation.mean = mean_of(evaluation.clients);
    }
    if (split == Split::kTest) evaluation.front = front_of(models, workload, pool);
    if (models.clients == nullptr || models.fine_tuned == nullptr) continue;
    evaluation.fine_tuned = workload.evaluate_clients(*models.fine_tuned, split, pool);
    for (const auto& [metric, value] : mean_of(evaluation.fine_tuned).overall) evaluation.mean.overall["fine_tuned_" + metric] = value;
  }
  return evaluations;
}

}  // namespace paretofl
