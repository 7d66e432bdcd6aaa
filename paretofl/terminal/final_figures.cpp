#include "paretofl/terminal/final_figures.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/printable.h"
#include "paretofl/core/shell_word.h"
#include "paretofl/objectives/direction.h"
#include "paretofl/terminal/terminal_details.h"
#include "paretofl/terminal/terminal_units.h"
#include "paretofl/terminal/text_table.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxRows = 12;
constexpr std::size_t kMaxFrontObjectives = 4;

const char* better(const std::string& metric) { return direction_of(metric) == Direction::kMinimize ? "lower" : "higher"; }

double largest(const ObjectiveValues& values) {
  double scale = 0;
  for (const double value : values) scale = std::isfinite(value) ? std::max(scale, std::abs(value)) : scale;
  return scale;
}

/// Behind a figure of the whole.
const char* direction_note(const std::string& metric) {
  const auto direction = known_direction(metric);
  if (!direction) return "";
  return *direction == Direction::kMinimize ? " (lower is better)" : " (higher is better)";
}

std::string table(const std::vector<std::string>& objectives, const std::map<std::string, ObjectiveValues>& test, std::size_t width) {
  const std::size_t rows = std::min(objectives.size(), kMaxRows);
  std::vector<TextColumn> columns{{.title = "test", .cells = {"(better)"}, .left_aligned = true, .keep = TextColumn::kAlways}};
  for (std::size_t k = 0; k < rows; ++k) columns.front().cells.push_back(objectives[k]);
  for (const auto& [metric, values] : test) {
    TextColumn column{.title = metric, .cells = {better(metric)}, .keep = 1};
    for (std::size_t k = 0; k < rows; ++k) column.cells.push_back(terminal_number({values[k], NAN}, largest(values)));
    columns.push_back(std::move(column));
  }
  if (columns.size() == 1) return "";
  std::string text = text_table(std::move(columns), width);
  if (rows < objectives.size()) text += fmt::format("and {} more objectives; the report has all\n", objectives.size() - rows);
  return text;
}

std::string preference_cell(const ObjectiveValues& preference) {
  std::vector<std::string> shares;
  for (const double share : preference) shares.push_back(fmt::format("{:.3g}", share));
  return fmt::format("{}", fmt::join(shares, ", "));
}

}  // namespace

std::string front_figures(const std::vector<std::string>& objectives, const std::map<std::string, std::vector<ObjectiveValues>>& front,
                          std::size_t width) {
  const auto preferences = front.find("preferences");
  if (preferences == front.end() || preferences->second.empty()) return "";
  const std::size_t points = preferences->second.size(), rows = std::min(points, kMaxRows);
  if (objectives.size() > kMaxFrontObjectives) return fmt::format("front: {} points; the report has them\n", points);
  std::vector<TextColumn> columns{{.title = "front at", .cells = {}, .left_aligned = true, .keep = TextColumn::kAlways}};
  const auto shown = [&](std::size_t row) {
    return rows < 2 ? row : row * (points - 1) / (rows - 1);
  };  // the first, the last, some between
  for (std::size_t i = 0; i < rows; ++i) columns.front().cells.push_back(preference_cell(preferences->second[shown(i)]));
  for (const auto& [metric, models] : front) {
    if (metric == "preferences" || models.size() != points) continue;
    const std::size_t figures = models.front().size();
    if (std::any_of(models.begin(), models.end(), [&](const ObjectiveValues& values) { return values.size() != figures; })) continue;
    for (std::size_t k = 0; k < figures; ++k) {
      TextColumn column{.title = figures == objectives.size() && figures > 1 ? fmt::format("{} {}", metric, objectives[k]) : metric,
                        .cells = {},
                        .keep = TextColumn::kAlways - static_cast<int>(columns.size())};
      double scale = 0;
      for (const ObjectiveValues& values : models) scale = std::isfinite(values[k]) ? std::max(scale, std::abs(values[k])) : scale;
      for (std::size_t i = 0; i < rows; ++i) column.cells.push_back(terminal_number({models[shown(i)][k], NAN}, scale));
      columns.push_back(std::move(column));
    }
  }
  std::string text = text_table(std::move(columns), width);
  if (rows < points) text += fmt::format("{} of {} points; the report has all\n", rows, points);
  return text;
}

std::string test_figures(const std::vector<std::string>& objectives, const std::map<std::string, ObjectiveValues>& test,
                         const std::map<std::string, double>& overall, std::size_t width) {
  std::string text = table(objectives, test, width);
  for (const auto& [name, value] : overall)
    text += fmt::format("{}: {}{}\n", printable(name), terminal_number({value, NAN}, value), direction_note(name));
  return text;
}

std::string final_figures(const RunData& run, std::size_t width) {
  const std::size_t rounds = run.rows.empty() ? 0 : static_cast<std::size_t>(run.rows.back().round);
  const bool personal = std::any_of(run.rows.begin(), run.rows.end(), [](const RecordedRound& row) { return !row.clients.empty(); });
  std::string text = fmt::format("{} on {}, seed {}, after {} {}{}:\n", printable(run.strategy), printable(run.workload), run.seed, rounds,
                                 rounds == 1 ? "round" : "rounds", personal ? "; means over the clients" : "");
  text += test_figures(run.objectives, run.test, run.overall, width);
  if (!run.rows.empty()) text += front_figures(run.objectives, run.rows.back().front, width);
  text += fmt::format("upload {}, download {}", terminal_bytes(run.bytes_up), terminal_bytes(run.bytes_down));
  if (run.summary) {
    text += fmt::format("; {} of wall time, {} of CPU time", terminal_seconds(run.summary->wall_seconds),
                        terminal_seconds(run.summary->cpu_seconds));
  }
  if (run.late() > 0) text += fmt::format("; {:.0f} late replies", run.late());
  if (run.simulated_seconds() > 0) text += fmt::format("; {} simulated", terminal_seconds(run.simulated_seconds()));
  return text + '\n';
}

std::string next_command(const RunData& run) {
  namespace fs = std::filesystem;
  std::error_code failure;
  for (const fs::path& adapter : {run.folder / "model", run.folder / "model" / "client-0"}) {
    if (!fs::exists(adapter / "adapter_config.json", failure)) continue;
    return fmt::format("paretofl generate --adapter {} --prompt 'Hello' --max-new-tokens 32", shell_word(adapter.string()));
  }
  return "paretofl report --terminal " + shell_word(run.folder.string());
}

}  // namespace paretofl
