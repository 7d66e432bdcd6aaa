#include "paretofl/terminal/terminal_fronts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "paretofl/core/printable.h"
#include "paretofl/report/comparison.h"
#include "paretofl/report/front_points.h"
#include "paretofl/report/run_front.h"
#include "paretofl/terminal/terminal_details.h"
#include "paretofl/terminal/text_scatter.h"
#include "paretofl/terminal/text_table.h"

namespace paretofl {
namespace {

/// What a strategy's groups reach.
struct StrategyFront {
  std::string strategy;
  std::size_t groups = 0;
  std::size_t on_front = 0;  ///< of its groups
  Estimate hypervolume{NAN, NAN};
};

std::vector<StrategyFront> strategy_fronts(const Comparison& comparison, const std::vector<double>& reference) {
  std::vector<StrategyFront> fronts;
  const std::vector<FrontQuality> qualities = front_qualities(comparison, comparison.metric, reference);
  for (const RunGroup& group : comparison.groups) {
    auto found = std::find_if(fronts.begin(), fronts.end(), [&](const StrategyFront& front) { return front.strategy == group.strategy; });
    if (found == fronts.end()) found = fronts.insert(fronts.end(), StrategyFront{.strategy = group.strategy});
    ++found->groups;
    found->on_front += group.on_front ? 1 : 0;
    for (const FrontQuality& quality : qualities) {
      if (quality.strategy == group.strategy) found->hypervolume = quality.hypervolume;
    }
  }
  return fronts;
}

std::string fronts_table(const std::vector<StrategyFront>& fronts, std::size_t width) {
  TextColumn names{.title = "  strategy", .cells = {}, .left_aligned = true, .keep = TextColumn::kAlways};
  TextColumn settings{.title = "settings", .cells = {}, .keep = 1}, shared{.title = "on the front", .cells = {}, .keep = 2};
  TextColumn volumes{.title = "hypervolume", .cells = {}, .keep = TextColumn::kAlways};
  double scale = 0;
  for (const StrategyFront& front : fronts) scale = std::isfinite(front.hypervolume.mean) ? std::max(scale, front.hypervolume.mean) : scale;
  for (std::size_t i = 0; i < fronts.size(); ++i) {
    names.cells.push_back(fmt::format("{} {}", letter(i), fronts[i].strategy));
    settings.cells.push_back(fmt::format("{}", fronts[i].groups));
    shared.cells.push_back(fmt::format("{}", fronts[i].on_front));
    volumes.cells.push_back(terminal_number(fronts[i].hypervolume, scale));
  }
  return text_table({names, settings, shared, volumes}, width);
}

std::string fronts_scatter(const Comparison& comparison, const std::vector<StrategyFront>& fronts, std::size_t width) {
  std::vector<ScatterPoint> points;
  for (const RunGroup& group : comparison.groups) {
    const auto final_test = group.test(comparison.metric);
    if (!std::isfinite(final_test[0].mean) || !std::isfinite(final_test[1].mean)) continue;
    const auto front = std::find_if(fronts.begin(), fronts.end(), [&](const StrategyFront& one) { return one.strategy == group.strategy; });
    points.push_back({final_test[0].mean, final_test[1].mean, letter(static_cast<std::size_t>(front - fronts.begin())), group.on_front});
  }
  if (points.size() < 2) return "";
  const auto name = [&](std::size_t k) { return fmt::format("{} (test {})", comparison.objectives[k], comparison.metric); };
  return fmt::format("\n{}",
                     text_scatter(points, {.x_name = name(0), .y_name = name(1), .direction = comparison.direction, .width = width}));
}

}  // namespace

std::string terminal_fronts(const std::vector<RunData>& runs, const TerminalOptions& options) {
  const std::vector<RunData> points = with_front_points(runs);
  std::string text;
  for (const Comparison& comparison : compare(points)) {
    if (comparison.objectives.size() < 2) continue;
    const std::vector<StrategyFront> fronts = strategy_fronts(comparison, options.reference);
    const RunFronts all = run_fronts(comparison, comparison.metric, options.reference);
    if (!text.empty()) text += '\n';
    text += fmt::format("{}: final test {} ({} is better)\n\n", printable(comparison.title), printable(comparison.metric),
                        comparison.direction == Direction::kMaximize ? "higher" : "lower");
    text += fronts_table(fronts, options.width);
    const bool any_volume =
        std::any_of(fronts.begin(), fronts.end(), [](const StrategyFront& front) { return std::isfinite(front.hypervolume.mean); });
    text += any_volume ? reference_line(all.reference, options.width)
                       : "hypervolume: only where a strategy has several settings, such as preferences\n";
    if (comparison.objectives.size() == 2) text += fronts_scatter(comparison, fronts, options.width);
  }
  return text.empty() ? "No front: expected runs with two objectives or more.\n" : text;
}

}  // namespace paretofl
