#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/core/round.h"

namespace paretofl {

/// One number per objective, in the run's order of objectives; NaN if the run has none.
using ObjectiveValues = std::vector<double>;

/// One line of metrics.jsonl.
struct RecordedRound {
  int round = 0;
  std::map<std::string, ObjectiveValues> measured;              ///< by "<split>/<metric>", such as "test/accuracy"
  std::vector<double> lambda;                                   ///< empty if the strategy has none
  std::map<std::string, std::vector<double>> metrics;           ///< the strategy's own figures, and those of the workload as a whole
  std::map<std::string, std::vector<ObjectiveValues>> clients;  ///< [n] by metric: figures of each client's own model, or one
  /// [P] by metric: figures of the models for some preferences, and the preferences themselves; empty if the strategy has none.
  std::map<std::string, std::vector<ObjectiveValues>> front;
  double bytes_up = 0;  ///< of this round
  double bytes_down = 0;
  std::map<std::string, double> seconds;  ///< by phase, of this round
  double simulated_seconds = 0;           ///< of this round; 0 if the clock is not simulated
  double late = 0;                        ///< replies
  std::vector<Failure> failures;
  std::string abandoned;  ///< why the round was left undone, else empty
};

/// The metrics of {"<metric>": {"<objective>": x, ...}, ...} in the order of `objectives`. `where` (file
/// and line) begins the Error thrown where the JSON is something else or names another objective.
std::map<std::string, ObjectiveValues> parse_metrics(const nlohmann::ordered_json& json, const std::vector<std::string>& objectives,
                                                     const std::string& where);

/// One line, parsed; throws Error, begun by `where`, on a key of the wrong type.
RecordedRound parse_recorded_round(const nlohmann::ordered_json& json, const std::vector<std::string>& objectives,
                                   const std::string& where);

/// The member `key` as a number, NaN if it is null; throws Error if it is something else or absent.
double number_at(const nlohmann::ordered_json& json, const std::string& key, const std::string& where);

/// Likewise, a text.
std::string text_at(const nlohmann::ordered_json& json, const std::string& key, const std::string& where);

}  // namespace paretofl
