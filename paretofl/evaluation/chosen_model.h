#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/evaluation/model_evaluation.h"

namespace paretofl {

/// The best model that a run has evaluated so far by one validation figure, in its direction (direction_of); of equal ones
/// the first, and none whose figure is not a number.
class ChosenModel {
 public:
  /// `figure` names an overall figure such as "accuracy", or one of an objective such as "accuracy/digit"; empty: chooses none.
  explicit ChosenModel(std::string figure) : figure_(std::move(figure)) {}

  /// Throws Error where the workload has no validation split, or that has no such figure: evaluates theta [d] on it.
  void check(const Workload& workload, std::span<const float> theta, ThreadPool& pool) const;

  /// Takes theta [d] if it is better.
  void offer(std::int64_t round, std::span<const float> theta, const std::map<Split, ModelEvaluation>& evaluations,
             const std::vector<std::string>& objectives);

  bool chooses() const { return !figure_.empty(); }
  bool chosen() const { return round_ > 0; }
  std::span<const float> theta() const { return theta_; }
  /// Its round, the figure's name and value, and what the test split says: {"round", "by", "validation", "test", "overall"}.
  const nlohmann::ordered_json& summary() const { return summary_; }

  Record save() const;
  /// Throws Error unless the model has `size` parameters.
  void load(const Record& state, std::size_t size);

 private:
  double value(const Evaluation& validation, const std::vector<std::string>& objectives) const;

  std::string figure_;
  std::int64_t round_ = 0;
  double best_ = 0;
  std::vector<float> theta_;
  nlohmann::ordered_json summary_;
};

}  // namespace paretofl
