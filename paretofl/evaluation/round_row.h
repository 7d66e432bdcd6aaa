#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/core/server.h"
#include "paretofl/evaluation/model_evaluation.h"

namespace paretofl {

/// A round as one row of metrics.jsonl, evaluations aside: round; train figures by metric and objective; lambda; the
/// strategy's other metrics; bytes, seconds per phase, simulated seconds if the clock is simulated, late replies, failures; and why it was
/// abandoned, if it was.
nlohmann::ordered_json round_row(const RoundReport& report, const std::vector<std::string>& objectives);

/// The part of a row that an evaluation adds: validation and test figures by metric and objective, and every client's
/// own of personalized models, those before their last mixing if evaluated, and those of the models for some preferences: {"front":
/// {"preferences": [P, M], "loss": [P, M], ..}}.
nlohmann::ordered_json evaluation_json(const std::map<Split, ModelEvaluation>& evaluations, const std::vector<std::string>& objectives);

/// The row with this evaluation in place of its own; with an empty one it has none.
nlohmann::ordered_json with_evaluation(const nlohmann::ordered_json& row, const nlohmann::ordered_json& evaluation);

/// Figures by metric and objective: {"accuracy": {"left": 0.9, ...}}.
nlohmann::ordered_json figures_json(const std::map<std::string, std::vector<double>>& figures, const std::vector<std::string>& objectives);

/// A few words about a row for a progress bar, such as "loss 0.31/0.87".
std::string brief(const nlohmann::ordered_json& row);

}  // namespace paretofl
