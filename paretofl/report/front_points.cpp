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

/// The figures of model `index` of the recorded row in the place of the row's own test figures.
void take_point(RecordedRound& row, const RecordedRound& recorded, std::size_t index, std::size_t objectives) {
  std::erase_if(row.measured, [](const auto& entry) { return entry.first.starts_with("test/"); });
  for (const auto& [metric, models] : recorded.front) {
    if (metric == kPreferences || index >= models.size() || models[index].size() != objectives) continue;
    row.measured["test/" + metric] = models[index];
  }
}

bool has_points(const RecordedRound& row) {
  const auto found = row.front.find(kPreferences);
  return found != row.front.end() && !found->second.empty();
}

/// The run without the fronts of its rows, which every point would copy otherwise.
RunData without_fronts(const RunData& run) {
  RunData copy = run;
  for (RecordedRound& row : copy.rows) row.front.clear();
  return copy;
}

/// A copy of `without_fronts` with the figures of model `index` of the run's fronts.
RunData point_of(const RunData& run, const RunData& without_fronts, const ObjectiveValues& preference, std::size_t index) {
  RunData point = without_fronts;
  point.preference = preference_text(preference);
  point.keys["strategy.preference"] = point.preference;
  point.test.clear();
  for (std::size_t i = 0; i < point.rows.size(); ++i) {
    if (run.rows[i].front.empty()) continue;
    take_point(point.rows[i], run.rows[i], index, run.objectives.size());
    for (const auto& [name, values] : point.rows[i].measured) {
      if (name.starts_with("test/")) point.test[name.substr(5)] = values;
    }
  }
  return point;
}

}  // namespace

std::vector<RunData> with_front_points(const std::vector<RunData>& runs) {
  std::vector<RunData> points;
  for (const RunData& run : runs) {
    const auto last = std::find_if(run.rows.rbegin(), run.rows.rend(), has_points);
    if (last == run.rows.rend() || run.objectives.size() < 2) {
      points.push_back(run);
      continue;
    }
    const std::vector<ObjectiveValues>& preferences = last->front.at(kPreferences);
    const RunData base = without_fronts(run);
    for (std::size_t i = 0; i < preferences.size(); ++i) points.push_back(point_of(run, base, preferences[i], i));
  }
  return points;
}

}  // namespace paretofl
