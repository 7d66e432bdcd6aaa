#include "paretofl/runs/run_evaluation.h"

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/evaluation/model_evaluation.h"
#include "paretofl/evaluation/round_row.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/parties/problem.h"
#include "paretofl/parties/problem_part.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/experiment.h"
#include "paretofl/runs/plugin_files.h"
#include "paretofl/runs/python_workloads.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/runs/trained_model.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {
namespace {

/// Settings that only one of the two knows are those of another version.
void expect_same_settings(const TrainedModel& model, const Texts& found) {
  for (const auto& [key, value] : model.identity()) {
    const auto other = found.find(key);
    expect(other == found.end() || other->second == value, "evaluate: expected {} {} as in the checkpoint, found {} in config.toml", key,
           value, other->second);
  }
}

/// The fingerprint of the data that the run was trained with, where others were read now.
std::optional<std::string> fingerprint_of_other_data(const TrainedModel& model) {
  const auto trained = model.identity().find(kDataRead);
  if (trained == model.identity().end() || trained->second == DataLedger::fingerprint()) return std::nullopt;
  return trained->second;
}

void warn_of_other_data(const TrainedModel& model) {
  const auto trained = fingerprint_of_other_data(model);
  if (!trained) return;
  warn("warning: evaluate: expected the data and models that the run was trained with (fingerprint {}), found others ({})", *trained,
       DataLedger::fingerprint());
}

/// What the run's checkpoint keeps of its training data; nullptr where it keeps nothing.
std::shared_ptr<const nlohmann::json> statistics_of(const TrainedModel& model) {
  if (!model.description() || model.description()->statistics.empty()) return nullptr;
  return std::make_shared<const nlohmann::json>(
      parse_json(model.description()->statistics, "checkpoint: the statistics of the training data"));
}

/// Throws Error unless the data are scaled as those that the model was trained with.
void expect_statistics(const TrainedModel& model, const nlohmann::json* trained, const Workload& workload, const std::string& data_root) {
  const nlohmann::json found = workload.statistics();
  if (found.empty()) return;
  if (trained != nullptr) {
    Problem wanted;
    Problem read;
    wanted.facts = *trained;
    read.facts = found;
    return expect_same_problem(wanted, read, fmt::format("evaluate: {}", data_root));
  }
  const auto other = fingerprint_of_other_data(model);
  expect(
      !other,
      "evaluate: expected the data that the run was trained with (fingerprint {}), since its checkpoint, of an earlier version, does not "
      "keep their scales and categories; found others ({})",
      other.value_or(""), DataLedger::fingerprint());
}

}  // namespace

nlohmann::ordered_json evaluate_run(const EvaluationRequest& request) {
  const TrainedModel model = TrainedModel::load(request.run);
  expect_workload_at_hand(model.identity(), "evaluate",
                          fmt::format("paretofl.Run({:?}, problem).evaluate() evaluates it", request.run.string()));
  const ResolvedConfig resolved = resolve_config(load_config(RunDirectory::config_of(request.run)));
  expect_same_settings(model, identity_of(resolved.resolved));
  RunConfig config = resolved.config;
  if (!request.data_root.empty()) config.data_root = request.data_root;
  DataLedger::begin(config.data_root);
  const std::optional<ProblemPart> part = part_in(config.data_root);  // the server's, of a federation
  if (part && !part->is_server()) {
    throw Error(fmt::format("evaluate: expected the data of all parties or the server's, found those of {} in {}", part->owner(),
                            config.data_root));
  }
  const std::shared_ptr<const nlohmann::json> statistics = statistics_of(model);
  const auto workload = make_workload(config, part, statistics);
  expect(workload->has_split(Split::kTest), "evaluate: expected a workload with a test split, found {} without one", config.workload.name);
  expect(workload->layout()->size() == model.size(), "evaluate: expected a model of {} parameters, as config.toml says, found {}",
         workload->layout()->size(), model.size());
  expect_statistics(model, statistics.get(), *workload, config.data_root);
  warn_of_other_data(model);
  warn_of_other_plugins("evaluate", model.plugins());

  const auto clients = model.client_models(workload->layout());
  const auto fine_tuned = config.evaluation_fine_tuned ? model.fine_tuned_models(workload->layout()) : std::nullopt;
  const std::vector<float> mean = clients ? clients->mean() : std::vector<float>();
  const bool takes_preferences = !workload->front_preferences().empty();
  const auto simplex = request.preference ? std::nullopt : model.simplex(workload->layout());
  const std::vector<float> preferred = request.preference && !takes_preferences ? model.at(*request.preference) : std::vector<float>();
  const RunModels models{.shared = !preferred.empty() ? std::span<const float>(preferred)
                                   : clients          ? std::span<const float>(mean)
                                                      : model.theta(),
                         .clients = clients ? &*clients : nullptr,
                         .fine_tuned = fine_tuned ? &*fine_tuned : nullptr,
                         .simplex = simplex ? &*simplex : nullptr};
  ThreadPool pool(static_cast<std::size_t>(read_options<RuntimeOptions>(config.runtime.settings, "runtime").threads));
  const std::vector<std::string>& objectives = workload->objective_names();
  std::map<Split, ModelEvaluation> evaluations;
  if (request.preference && takes_preferences) {
    expect(!models.differ(), "preference: expected none for a run whose clients have models of their own, found one of {} numbers",
           request.preference->size());
    const Preference preference(*request.preference, objectives.size());
    evaluations[Split::kTest].mean = workload->evaluate_at(models.shared, preference, Split::kTest, pool);
  } else {
    evaluations = evaluate_models(models, *workload, {Split::kTest}, pool);
  }
  const auto figures = evaluation_json(evaluations, objectives);

  nlohmann::ordered_json result{{"strategy", config.strategy.name},
                                {"workload", config.workload.name},
                                {"seed", config.seed},
                                {"objectives", objectives},
                                {"round", model.round()}};
  if (request.preference) result["preference"] = *request.preference;
  if (model.chosen()) result["chosen_by"] = config.evaluation_choose_by;
  if (figures.contains("clients") && !models.differ()) result["shared"] = true;
  for (const char* key : {"test", "overall", "clients", "fine_tuned", "front"}) {
    if (figures.contains(key)) result[key] = figures[key];
  }
  return result;
}

}  // namespace paretofl
