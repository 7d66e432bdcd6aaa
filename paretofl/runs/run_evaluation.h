#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace paretofl {

/// What `paretofl evaluate` is asked to do.
struct EvaluationRequest {
  std::filesystem::path run;
  /// At which to evaluate, of any scale, where there is a model for every preference or one that takes it as an input. None: at the run's,
  /// and the uniform one; of a model that takes it as an input, at each client's own.
  std::optional<std::vector<double>> preference = std::nullopt;
  std::filesystem::path data_root = {};  ///< in the place of the run's data.root; empty: that one
};

/// Evaluates a run's trained model (TrainedModel) on the test split of its workload, which is made anew from the run's config. Returns
/// "strategy", "workload", "seed", "objectives", "round" (whose model it is), "chosen_by" where evaluation.choose_by has chosen it,
/// "shared": true where the clients' models are all the same; and as in summary.json "test", and where they are there "overall", "clients",
/// "fine_tuned" and "front": for an unchanged run the same figures. Data other than the run's own are a warning. Throws Error on a run
/// without a checkpoint, a config that was changed since, a workload that this program does not have, and one without a test split.
nlohmann::ordered_json evaluate_run(const EvaluationRequest& request);

}  // namespace paretofl
