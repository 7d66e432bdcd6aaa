#include "paretofl/tables/table_objective.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"

namespace paretofl {
namespace {

constexpr std::string_view kQuantile = "quantile:";

double level_of(std::string_view loss) {
  const std::string_view text = loss.substr(kQuantile.size());
  double level = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), level);
  expect(status == std::errc() && end == text.data() + text.size() && level > 0 && level < 1,
         "workload.losses: expected quantile:LEVEL with a level between 0 and 1, such as quantile:0.9, found '{}'", printable(loss));
  return level;
}

Head head_of(std::string_view loss) {
  if (loss == "squared") return {.outputs = 1, .loss = Loss::kSquaredError};
  if (loss == "absolute") return {.outputs = 1, .loss = Loss::kAbsoluteError};
  if (loss == "logistic") return {.outputs = 1, .loss = Loss::kBinary};
  if (loss == "cross_entropy") return {.outputs = 2, .loss = Loss::kNll};
  expect(loss.starts_with(kQuantile), "workload.losses: expected squared, absolute, quantile:LEVEL, logistic or cross_entropy, found '{}'",
         printable(loss));
  return {.outputs = 1, .loss = Loss::kQuantile, .level = level_of(loss)};
}

}  // namespace

std::vector<TableObjective> table_objectives(const std::vector<std::string>& targets, const std::vector<std::string>& losses) {
  expect(!targets.empty(), "workload.targets: expected at least one column to predict, found none");
  expect(losses.size() == targets.size(), "workload.losses: expected one loss for each of the {} targets, found {}", targets.size(),
         losses.size());
  std::vector<TableObjective> objectives;
  std::set<std::string> names;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const bool alone = std::count(targets.begin(), targets.end(), targets[k]) == 1;
    objectives.push_back(
        {.name = alone ? targets[k] : targets[k] + ":" + losses[k], .column = targets[k], .loss = losses[k], .head = head_of(losses[k])});
    const TableObjective& objective = objectives.back();
    expect(names.insert(objective.name).second, "workload.targets: expected different objectives, found '{}' with the loss {} twice",
           printable(targets[k]), losses[k]);
    for (const TableObjective& other : objectives) {
      expect(other.column != objective.column || other.head.has_labels() == objective.head.has_labels(),
             "workload.losses: expected '{}' to be either a number or a class, found the losses of both", printable(targets[k]));
    }
  }
  return objectives;
}

}  // namespace paretofl
