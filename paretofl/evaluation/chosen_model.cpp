#include "paretofl/evaluation/chosen_model.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/evaluation/round_row.h"
#include "paretofl/objectives/direction.h"

namespace paretofl {

double ChosenModel::value(const Evaluation& validation, const std::vector<std::string>& objectives) const {
  if (const auto overall = validation.overall.find(figure_); overall != validation.overall.end()) return overall->second;
  const std::size_t slash = std::min(figure_.find('/'), figure_.size());
  const auto metric = validation.per_objective.find(figure_.substr(0, slash));
  const auto objective = std::find(objectives.begin(), objectives.end(), figure_.substr(std::min(slash + 1, figure_.size())));
  std::string known;
  for (const auto& [name, figure] : validation.overall) known += " " + name;
  for (const auto& [name, figures] : validation.per_objective) known += " " + name + "/" + objectives.front();
  expect(metric != validation.per_objective.end() && objective != objectives.end(),
         "evaluation.choose_by: expected a validation figure such as{}, found '{}'", known, figure_);
  return metric->second.at(static_cast<std::size_t>(objective - objectives.begin()));
}

void ChosenModel::check(const Workload& workload, std::span<const float> theta, ThreadPool& pool) const {
  if (!chooses()) return;
  expect(workload.has_split(Split::kValidation), "evaluation.choose_by: expected a workload with a validation split, found none");
  value(workload.evaluate(theta, Split::kValidation, pool), workload.objective_names());
}

void ChosenModel::offer(std::int64_t round, std::span<const float> theta, const std::map<Split, ModelEvaluation>& evaluations,
                        const std::vector<std::string>& objectives) {
  if (!chooses()) return;
  const double found = value(evaluations.at(Split::kValidation).mean, objectives);
  const bool lower = direction_of(figure_.substr(0, figure_.find('/'))) == Direction::kMinimize;
  if (std::isnan(found) || (chosen() && (lower ? found >= best_ : found <= best_))) return;
  round_ = round;
  best_ = found;
  theta_.assign(theta.begin(), theta.end());
  summary_ = {{"round", round}, {"by", figure_}, {"validation", found}};
  if (const auto test = evaluations.find(Split::kTest); test != evaluations.end()) {
    summary_["test"] = figures_json(test->second.mean.per_objective, objectives);
    summary_["overall"] = test->second.mean.overall;
  }
}

Record ChosenModel::save() const {
  Record state;
  state.scalars = {{"round", static_cast<double>(round_)}, {"best", best_}};
  state.arrays.emplace("theta", Array(std::span(theta_)));
  state.texts.emplace("summary", summary_.dump());
  return state;
}

void ChosenModel::load(const Record& state, std::size_t size) {
  round_ = count_scalar(state, "round");
  best_ = state.scalar("best");
  const auto theta = float_array(state, "theta", chosen() ? size : 0);
  theta_.assign(theta.begin(), theta.end());
  summary_ = parse_ordered_json(state.text("summary"), "checkpoint: the chosen model's figures");
}

}  // namespace paretofl
