#include "paretofl/report/front_csv.h"

#include <algorithm>

#include "paretofl/report/comparison.h"
#include "paretofl/report/csv_row.h"
#include "paretofl/report/front_points.h"
#include "paretofl/report/run_front.h"

namespace paretofl {
namespace {

/// A run on a front.
struct FrontRow {
  const Comparison* comparison;
  const RunGroup* group;
  const RunData* run;
};

std::vector<FrontRow> front_rows(const std::vector<Comparison>& comparisons) {
  std::vector<FrontRow> rows;
  for (const Comparison& comparison : comparisons) {
    if (comparison.objectives.size() < 2) continue;
    const RunFronts fronts = run_fronts(comparison, comparison.metric);
    for (const RunGroup& group : comparison.groups) {
      for (const RunData* run : group.runs) {
        if (fronts.has(*run)) rows.push_back({&comparison, &group, run});
      }
    }
  }
  return rows;
}

std::string setting_column(const std::string& key) {
  return key == "strategy.preference" || key == "strategy.objective_weights" ? "preference" : key;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string setting_of(const FrontRow& row, const std::string& column) {
  for (const Texts* settings : {&row.comparison->distinct, &row.group->distinct}) {
    for (const auto& [key, value] : *settings) {
      if (setting_column(key) == column) return value;
    }
  }
  return "";
}

std::string front_figure(const FrontRow& row, const std::string& objective) {
  const std::vector<std::string>& names = row.run->objectives;
  const auto found = std::find(names.begin(), names.end(), objective);
  if (found == names.end()) return "";
  return fmt::format("{}", row.run->test.at(row.comparison->metric)[static_cast<std::size_t>(found - names.begin())]);
}

}  // namespace

std::string front_csv(const std::vector<RunData>& runs) {
  const std::vector<RunData> points = with_front_points(runs);
  const std::vector<Comparison> comparisons = compare(points);
  const std::vector<FrontRow> rows = front_rows(comparisons);
  std::vector<std::string> settings, objectives;
  for (const Comparison& comparison : comparisons) {
    if (comparison.objectives.size() < 2) continue;
    for (const std::string& objective : comparison.objectives) add_once(objectives, objective);
    for (const auto& [key, value] : comparison.distinct) add_once(settings, setting_column(key));
    for (const RunGroup& group : comparison.groups) {
      for (const auto& [key, value] : group.distinct) add_once(settings, setting_column(key));
    }
  }
  std::vector<std::string> head = {"strategy"};
  head.insert(head.end(), settings.begin(), settings.end());
  head.insert(head.end(), {"seed", "workload", "metric"});
  const auto is_taken = [&](const std::string& name) { return name == "run" || std::find(head.begin(), head.end(), name) != head.end(); };
  std::vector<std::string> figures;
  for (const std::string& objective : objectives) figures.push_back(is_taken(objective) ? "objective " + objective : objective);
  head.insert(head.end(), figures.begin(), figures.end());
  head.emplace_back("run");
  std::string text = csv_row(head);
  for (const FrontRow& row : rows) {
    std::vector<std::string> cells = {row.run->strategy};
    for (const std::string& column : settings) cells.push_back(setting_of(row, column));
    cells.insert(cells.end(), {row.run->seed, row.run->workload, row.comparison->metric});
    for (const std::string& objective : objectives) cells.push_back(front_figure(row, objective));
    cells.push_back(row.run->name);
    text += csv_row(cells);
  }
  return text;
}

}  // namespace paretofl
