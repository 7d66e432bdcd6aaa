#include "paretofl/evaluation/round_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 8> kEvaluationKeys{"validation", "test",       "overall",   "exact_gramian",
                                                          "clients",    "fine_tuned", "federated", "front"};

Json by_objective(const std::vector<double>& values, const std::vector<std::string>& objectives) {
  Json json = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k) json[k < objectives.size() ? objectives[k] : std::to_string(k)] = values[k];
  return json;
}

/// [n, M] by metric, and [n] for the figures of the whole.
Json by_model(const std::vector<Evaluation>& models) {
  Json json = Json::object();
  for (const Evaluation& model : models) {
    for (const auto& [metric, values] : model.per_objective) json[metric].push_back(values);
    for (const auto& [metric, value] : model.overall) json[metric].push_back(value);
  }
  return json;
}

}  // namespace

Json figures_json(const std::map<std::string, std::vector<double>>& figures, const std::vector<std::string>& objectives) {
  Json json = Json::object();
  for (const auto& [metric, values] : figures) json[metric] = by_objective(values, objectives);
  return json;
}

Json evaluation_json(const std::map<Split, ModelEvaluation>& evaluations, const std::vector<std::string>& objectives) {
  Json json = Json::object();
  for (const auto& [split, evaluation] : evaluations) {
    json[split == Split::kTest ? "test" : "validation"] = figures_json(evaluation.mean.per_objective, objectives);
    if (split != Split::kTest) continue;
    if (!evaluation.mean.overall.empty()) json["overall"] = evaluation.mean.overall;
    if (!evaluation.mean.gramian.empty()) json["exact_gramian"] = evaluation.mean.gramian;
    if (!evaluation.clients.empty()) json["clients"] = by_model(evaluation.clients);
    if (!evaluation.fine_tuned.empty()) json["fine_tuned"] = by_model(evaluation.fine_tuned);
    if (!evaluation.front.models.empty()) {
      json["front"] = {{"preferences", evaluation.front.preferences}};
      json["front"].update(by_model(evaluation.front.models));
    }
  }
  return json;
}

Json with_evaluation(const Json& row, const Json& evaluation) {
  Json result = Json::object();
  for (const auto& [key, value] : row.items()) {
    if (std::find(kEvaluationKeys.begin(), kEvaluationKeys.end(), key) != kEvaluationKeys.end()) continue;
    if (key == "metrics") result.update(evaluation);
    result[key] = value;
  }
  return result;
}

Json round_row(const RoundReport& report, const std::vector<std::string>& objectives) {
  Json row{{"round", report.round}};
  Json others = Json::object();
  for (const auto& [name, value] : report.metrics.values()) {
    const auto* vector = std::get_if<std::vector<double>>(&value);
    if (name == "train_loss" && vector != nullptr) {
      expect(vector->empty() || vector->size() == objectives.size(), "train_loss: expected {} losses, one for each objective, found {}",
             objectives.size(), vector->size());
      if (!vector->empty()) row["train"]["loss"] = by_objective(*vector, objectives);
    } else if (name == "lambda" && vector != nullptr) {
      row["lambda"] = *vector;
    } else if (vector != nullptr) {
      others[name] = *vector;
    } else {
      others[name] = std::get<double>(value);
    }
  }
  row["metrics"] = std::move(others);
  row["bytes_up"] = report.bytes_up;
  row["bytes_down"] = report.bytes_down;
  if (report.measurement_bytes > 0) row["measurement_bytes"] = report.measurement_bytes;
  row["seconds"] = report.seconds;
  if (report.simulated_seconds) row["simulated_seconds"] = *report.simulated_seconds;
  row["late"] = report.late;
  row["failures"] = Json::array();
  for (const Failure& failure : report.failures) {
    row["failures"].push_back({{"client", failure.client}, {"verb", failure.verb}, {"reason", failure.reason}});
  }
  if (report.abandoned) row["abandoned"] = *report.abandoned;
  return row;
}

std::string brief(const Json& row) {
  if (row.contains("abandoned")) return "abandoned";
  if (!row.contains("train")) return "";
  std::string text = "train loss";
  char separator = ' ';
  for (const auto& [objective, loss] : row["train"]["loss"].items()) {
    text += fmt::format("{}{:.3f}", separator, loss.get<double>());
    separator = '/';
  }
  return text;
}

}  // namespace paretofl
