#include "paretofl/terminal/terminal_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/printable.h"
#include "paretofl/report/comparison.h"
#include "paretofl/report/front_points.h"
#include "paretofl/terminal/terminal_details.h"
#include "paretofl/terminal/terminal_units.h"
#include "paretofl/terminal/text_scatter.h"
#include "paretofl/terminal/text_table.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxObjectiveColumns = 4;

bool has_several_runs(const RunGroup& group) { return group.runs.size() > 1; }

std::string seeds(const RunGroup& group) {
  if (group.runs.size() > 3) return fmt::format("{} seeds", group.runs.size());
  std::string text;
  for (const RunData* run : group.runs) text += (text.empty() ? "" : ",") + run->seed;
  return text;
}

Estimate worst(const std::vector<Estimate>& objectives, Direction direction) {
  const auto lower = [](const Estimate& a, const Estimate& b) { return a.mean < b.mean; };
  const auto found = direction == Direction::kMaximize ? std::min_element(objectives.begin(), objectives.end(), lower)
                                                       : std::max_element(objectives.begin(), objectives.end(), lower);
  return {found->mean, NAN};
}

TextColumn column(const Comparison& comparison, const std::string& title, int keep, const auto& cell) {
  TextColumn result{.title = title, .cells = {}, .keep = keep};
  for (const RunGroup& group : comparison.groups) result.cells.push_back(cell(group));
  return result;
}

/// A column of estimates of one magnitude.
TextColumn estimate_column(const Comparison& comparison, const std::string& title, int fewer_digits, const auto& estimate_of) {
  double scale = 0;
  for (const RunGroup& group : comparison.groups) {
    const double mean = estimate_of(group).mean;
    if (std::isfinite(mean)) scale = std::max(scale, std::abs(mean));
  }
  return column(comparison, title, TextColumn::kAlways,
                [&](const RunGroup& group) { return terminal_number(estimate_of(group), scale, fewer_digits); });
}

std::string table(const Comparison& comparison, std::size_t width, int fewer_digits) {
  const std::size_t objectives = comparison.objectives.size();
  const std::string& metric = comparison.metric;
  std::vector<TextColumn> columns;
  columns.push_back(column(comparison, "strategy", TextColumn::kAlways, [](const RunGroup& group) { return group.label; }));
  columns.back().left_aligned = true;
  const bool several = std::any_of(comparison.groups.begin(), comparison.groups.end(), has_several_runs);
  columns.push_back(column(comparison, "seed", several ? 5 : 1, seeds));
  for (std::size_t k = 0; k < objectives && objectives <= kMaxObjectiveColumns; ++k) {
    columns.push_back(
        estimate_column(comparison, comparison.objectives[k], fewer_digits, [&](const RunGroup& group) { return group.test(metric)[k]; }));
  }
  if (comparison.shares_unit(metric))
    columns.push_back(estimate_column(comparison, "mean", fewer_digits, [&](const RunGroup& group) { return group.test_mean(metric); }));
  if (comparison.shares_unit(metric) && objectives > kMaxObjectiveColumns) {
    columns.push_back(estimate_column(comparison, "worst", fewer_digits,
                                      [&](const RunGroup& group) { return worst(group.test(metric), comparison.direction); }));
  }
  const auto nrmse = [](const RunGroup& group) { return group.metric_mean("gramian_nrmse").mean; };
  if (std::any_of(comparison.groups.begin(), comparison.groups.end(), [&](const RunGroup& group) { return std::isfinite(nrmse(group)); })) {
    columns.push_back(column(comparison, "nRMSE", 6, [&](const RunGroup& group) {
      return std::isfinite(nrmse(group)) ? fmt::format("{:.2f} %", 100 * nrmse(group)) : "-";
    }));
  }
  columns.push_back(column(comparison, "upload", 4, [](const RunGroup& group) { return terminal_bytes(group.bytes_up().mean); }));
  columns.push_back(column(comparison, "wall", 3, [](const RunGroup& group) { return terminal_seconds(group.wall_seconds().mean); }));
  columns.push_back(column(comparison, "CPU", 2, [](const RunGroup& group) { return terminal_seconds(group.cpu_seconds().mean); }));
  return text_table(std::move(columns), width);
}

/// With fewer digits where names would have to be cut otherwise.
std::string fitting_table(const Comparison& comparison, std::size_t width) {
  std::string text = table(comparison, width, 0);
  for (int fewer = 1; fewer <= 2 && text.find("…") != std::string::npos; ++fewer) text = table(comparison, width, fewer);
  return text;
}

/// The groups' full names, where the table has them cut.
std::string full_names(const Comparison& comparison, const std::string& table, std::size_t width) {
  if (table.find("…") == std::string::npos) return "";
  std::string text;
  for (std::size_t i = 0; i < comparison.groups.size(); ++i) {
    std::string line = fmt::format("{}: {}", letter(i), printable(comparison.groups[i].label));
    for (; line.size() > width; line.erase(0, width)) text += line.substr(0, width) + '\n';
    text += line + '\n';
  }
  return text;
}

/// Every row of the table begins with its letter, coloured by strategy, and a star on the front.
std::string lettered(const std::string& table, const Comparison& comparison, bool color) {
  static constexpr std::array kColors = {34, 33, 32, 35, 36, 31};
  std::string text = "   ";
  std::size_t row = 0;
  for (const char c : table) {
    text += c;
    if (c != '\n' || row == comparison.groups.size()) continue;
    const RunGroup& group = comparison.groups[row];
    const std::string mark(1, letter(row++));
    text += color ? fmt::format("\033[1;{}m{}\033[0m", kColors[group.strategy_index % kColors.size()], mark) : mark;
    text += group.on_front && comparison.groups.size() > 1 ? "* " : "  ";
  }
  return text;
}

/// The letter of the table's row that has the run; a point of a run's own front has that run's.
char row_letter(const Comparison& table, const RunData& run) {
  for (std::size_t i = 0; i < table.groups.size(); ++i) {
    for (const RunData* one : table.groups[i].runs) {
      if (one->folder == run.folder) return letter(i);
    }
  }
  return letter(table.groups.size());
}

/// Of all points of the runs' own fronts, each with the letter of its row in `table`.
std::string scatter(const Comparison& comparison, const Comparison& table, std::size_t width) {
  std::vector<ScatterPoint> points;
  for (const RunGroup& group : comparison.groups) {
    const auto final_test = group.test(comparison.metric);
    if (!std::isfinite(final_test[0].mean) || !std::isfinite(final_test[1].mean)) continue;
    points.push_back({final_test[0].mean, final_test[1].mean, row_letter(table, *group.runs.front()), group.on_front});
  }
  if (points.size() < 2) return "";
  const auto name = [&](std::size_t k) { return fmt::format("{} (test {})", comparison.objectives[k], comparison.metric); };
  return fmt::format("\n{}",
                     text_scatter(points, {.x_name = name(0), .y_name = name(1), .direction = comparison.direction, .width = width}));
}

}  // namespace

std::string terminal_report(const std::vector<RunData>& runs, const TerminalOptions& options) {
  const std::vector<RunData> points = with_front_points(runs);
  const std::vector<Comparison> comparisons = compare(runs), of_points = compare(points);  // of the same workloads in the same order
  std::string text;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& comparison = comparisons[i];
    if (!text.empty()) text += '\n';
    text += fmt::format("{}: final test {} ({} is better)\n\n", printable(comparison.title), printable(comparison.metric),
                        comparison.direction == Direction::kMaximize ? "higher" : "lower");
    const std::string results = fitting_table(comparison, options.width - 3);
    text += lettered(results, comparison, options.color) + full_names(comparison, results, options.width);
    const auto unfinished = [](const RunGroup& group) {
      return std::any_of(group.runs.begin(), group.runs.end(), [](const RunData* run) { return !run->summary; });
    };
    const auto failed = [](const RunGroup& group) {
      return std::any_of(group.runs.begin(), group.runs.end(),
                         [](const RunData* run) { return run->summary && !run->summary->failure.empty(); });
    };
    const bool any_several = std::any_of(comparison.groups.begin(), comparison.groups.end(), has_several_runs);
    if (any_several) text += "±: standard deviation over seeds\n";
    if (!any_several && comparison.groups.size() > 1) text += "There is one seed per row: small differences may be chance.\n";
    if (comparison.groups.size() > 1) text += "*: on the Pareto front, dominated by no other row\n";
    for (const RunGroup& group : comparison.groups) {
      if (unfinished(group)) text += fmt::format("{}: unfinished, its last evaluation so far\n", printable(group.label));
      if (failed(group)) text += fmt::format("{}: a run failed, whose final figures are left out\n", printable(group.label));
    }
    if (comparison.objectives.size() == 2) text += scatter(of_points[i], comparison, options.width);
    text += terminal_details(comparison, of_points[i], options.width, options.reference);
  }
  return text;
}

}  // namespace paretofl
