#include "paretofl/report/front_points.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace paretofl {
namespace {

constexpr const char* kPreferences = "preferences";

/// As config.toml has preferences; six digits tell them apart.
std::string preference_text(const ObjectiveValues& preference) {
  std::vector<std::string> shares;
  for (const double share : preference) shares.push_back(fmt::format("{:.6g}", share));
  return fmt::format("[{}]", fmt::join(shares, ", "));
}

/// The figures of model `index` in the place of the row's own test figures.
void take_point(RecordedRound& row, std::size_t index, std::size_t objectives) {
  std::erase_if(row.measured, [](const auto& entry) { return entry.first.starts_with("test/"); });
  for (const auto& [metric, models] : row.front) {
    if (metric == kPreferences || index >= models.size() || models[index].size() != objectives) continue;
    row.measured["test/" + metric] = models[index];
  }
  row.front.clear();
}

RunData point_of(const RunData& run, const ObjectiveValues& preference, std::size_t index) {
  RunData point = run;
  point.preference = preference_text(preference);
  point.keys["strategy.preference"] = point.preference;
  point.test.clear();
  for (RecordedRound& row : point.rows) {
    if (row.front.empty()) continue;
    take_point(row, index, run.objectives.size());
    for (const auto& [name, values] : row.measured) {
      if (name.starts_with("test/")) point.test[name.substr(5)] = values;
    }
  }
  return point;
}

}  // namespace

std::vector<RunData> with_front_points(const std::vector<RunData>& runs) {
  std::vector<RunData> points;
  for (const RunData& run : runs) {
    const auto last =
        std::find_if(run.rows.rbegin(), run.rows.rend(), [](const RecordedRound& row) { return row.front.contains(kPreferences); });
    if (last == run.rows.rend() || run.objectives.size() < 2) {
      points.push_back(run);
      continue;
    }
    const std::vector<ObjectiveValues>& preferences = last->front.at(kPreferences);
    for (std::size_t i = 0; i < preferences.size(); ++i) points.push_back(point_of(run, preferences[i], i));
  }
  return points;
}

}  // namespace paretofl
