#pragma once

#include <map>
#include <vector>

#include "paretofl/evaluation/run_models.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// The figures of the models for some preferences, which are points of one Pareto front.
struct FrontEvaluation {
  std::vector<std::vector<double>> preferences;  ///< [P][M]
  std::vector<Evaluation> models;                ///< [P]
};

/// The figures of a run's model or models on one split.
struct ModelEvaluation {
  Evaluation mean;                     ///< of the model that all share; of personalized models the mean over the clients
  std::vector<Evaluation> clients;     ///< of each client's own model; empty where all share one
  std::vector<Evaluation> fine_tuned;  ///< of each client's model before mixing; empty where not asked for, or no other
  FrontEvaluation front;               ///< on the test split, where there is a model for every preference; else empty
};

/// Evaluates a run's models on those of the splits that the workload has. The means of fine-tuned models are among the overall figures as
/// "fine_tuned_<figure>".
std::map<Split, ModelEvaluation> evaluate_models(const RunModels& models, const Workload& workload, const std::vector<Split>& splits,
                                                 ThreadPool& pool);

}  // namespace paretofl
