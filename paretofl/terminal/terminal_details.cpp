#include "paretofl/terminal/terminal_details.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "paretofl/core/printable.h"
#include "paretofl/report/curve.h"
#include "paretofl/report/run_front.h"
#include "paretofl/terminal/sparkline.h"
#include "paretofl/terminal/text_table.h"

namespace paretofl {
namespace {

constexpr std::size_t kFewObjectives = 4;
constexpr std::size_t kMaxGroups = 26;
constexpr std::size_t kMaxCurveWidth = 48;

/// A curve of every group that has one.
std::map<std::size_t, Curve> curves_of(const Comparison& comparison, const std::string& quantity) {
  std::map<std::size_t, Curve> found;
  for (std::size_t i = 0; i < std::min(comparison.groups.size(), kMaxGroups); ++i) {
    auto all = curves(comparison.groups[i], comparison.objectives);
    if (const auto curve = all.find(quantity); curve != all.end() && !curve->second.rounds.empty())
      found.emplace(i, std::move(curve->second));
  }
  return found;
}

std::pair<double, double> range_of(const std::map<std::size_t, Curve>& curves, std::size_t series) {
  double low = INFINITY, high = -INFINITY;
  for (const auto& [group, curve] : curves) {
    for (const double value : curve.mean[std::min(series, curve.mean.size() - 1)]) {
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
  }
  return {low, high};
}

std::string objective_table(const Comparison& comparison, std::size_t width) {
  std::vector<TextColumn> columns = {{.title = fmt::format("test {}", comparison.metric),
                                      .cells = comparison.objectives,
                                      .left_aligned = true,
                                      .keep = TextColumn::kAlways}};
  for (std::size_t i = 0; i < std::min(comparison.groups.size(), kMaxGroups); ++i) {
    TextColumn column{.title = std::string(1, letter(i)), .cells = {}, .keep = TextColumn::kAlways - 1 - static_cast<int>(i)};
    const auto values = comparison.groups[i].test(comparison.metric);
    double scale = 0;
    for (const Estimate& value : values) scale = std::isfinite(value.mean) ? std::max(scale, std::abs(value.mean)) : scale;
    for (const Estimate& value : values) column.cells.push_back(terminal_number({value.mean, NAN}, scale));
    columns.push_back(std::move(column));
  }
  return "\n" + text_table(std::move(columns), width);
}

/// One line per group: a series of its test metric, by round.
std::string metric_curve(const Comparison& comparison, std::size_t series, const std::string& title, std::size_t width) {
  const auto found = curves_of(comparison, "test/" + comparison.metric);
  std::string text;
  const auto [low, high] = range_of(found, series);
  if (low > high) return "";  // not one value is finite
  for (const auto& [group, curve] : found) {
    const std::vector<double>& means = curve.mean[std::min(series, curve.mean.size() - 1)];
    if (means.size() < 2) continue;
    const std::string ends =
        fmt::format("{} to {}", terminal_number({means.front(), NAN}, high), terminal_number({means.back(), NAN}, high));
    const std::size_t room = std::min(kMaxCurveWidth, width - 8 - ends.size());
    text += fmt::format("{}  {}  {}\n", letter(group), sparkline(means, low, high, room), ends);
  }
  if (text.empty()) return "";
  return fmt::format("\n{} by round, {:.4g} to {:.4g}\n{}", printable(title), low, high, text);
}

/// Of the mean over objectives, or where these have none of each of a few.
std::string metric_curves(const Comparison& comparison, std::size_t width) {
  const std::size_t objectives = comparison.objectives.size();
  if (comparison.shares_unit(comparison.metric))
    return metric_curve(comparison, objectives, fmt::format("mean test {}", comparison.metric), width);
  std::string text;
  for (std::size_t k = 0; k < objectives && objectives <= kFewObjectives; ++k) {
    text += metric_curve(comparison, k, fmt::format("test {} of {}", comparison.metric, comparison.objectives[k]), width);
  }
  return text;
}

/// Of a few objectives the objective weights by round; of many, the largest at the end.
std::string lambda_lines(const Comparison& comparison, std::size_t width) {
  std::string text;
  for (const auto& [group, curve] : curves_of(comparison, "lambda")) {
    const std::size_t objectives = curve.mean.size();
    std::string line = fmt::format("{} ", letter(group));
    if (objectives <= kFewObjectives) {
      const std::size_t room = std::min<std::size_t>(16, width / objectives - 12);
      for (std::size_t k = 0; k < objectives; ++k) {
        line += fmt::format(" {} {:.3f}  ", sparkline(curve.mean[k], 0, 1, room), curve.mean[k].back());
      }
    } else {
      std::vector<std::size_t> order(objectives);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&means = curve.mean](std::size_t a, std::size_t b) { return means[a].back() > means[b].back(); });
      for (const std::size_t k : order) {
        const std::string part = fmt::format(" {} {:.3f}", printable(comparison.objectives[k]), curve.mean[k].back());
        if (display_width(line) + display_width(part) > width) break;
        line += part;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  if (text.empty()) return "";
  const bool few = comparison.objectives.size() <= kFewObjectives;
  const std::string title = few ? fmt::format("by round, 0 to 1: {}", printable(fmt::format("{}", fmt::join(comparison.objectives, ", "))))
                                : "at the end, the largest first";
  return fmt::format("\nobjective weights {}\n{}", title, text);
}

std::string front_table(const Comparison& comparison, std::size_t width, const std::vector<double>& reference) {
  const std::vector<FrontQuality> fronts = front_qualities(comparison, comparison.metric, reference);
  if (fronts.empty()) return "";
  TextColumn strategies{.title = "front of", .cells = {}, .left_aligned = true, .keep = TextColumn::kAlways};
  TextColumn settings{.title = "settings", .cells = {}, .keep = 1}, points{.title = "on front", .cells = {}, .keep = 2};
  TextColumn volumes{.title = "hypervolume", .cells = {}, .keep = TextColumn::kAlways}, gaps{.title = "sparsity", .cells = {}, .keep = 3};
  double volume = 0, gap = 0;
  for (const FrontQuality& front : fronts) {
    volume = std::isfinite(front.hypervolume.mean) ? std::max(volume, front.hypervolume.mean) : volume;
    gap = std::max(gap, front.sparsity.mean);
  }
  for (const FrontQuality& front : fronts) {
    strategies.cells.push_back(front.strategy);
    settings.cells.push_back(fmt::format("{}", front.groups));
    points.cells.push_back(fmt::format("{:.3g}", front.cardinality.mean));
    volumes.cells.push_back(terminal_number(front.hypervolume, volume));
    gaps.cells.push_back(terminal_number(front.sparsity, gap));
  }
  return text_table({strategies, settings, points, volumes, gaps}, width) +
         (volume > 0 ? reference_line(run_fronts(comparison, comparison.metric, reference).reference, width) : "");
}

/// Mean seconds of a round by phase, the longest phases first.
std::string phase_table(const Comparison& comparison, std::size_t width) {
  std::map<std::string, double> longest;
  for (const RunGroup& group : comparison.groups) {
    for (const auto& [phase, seconds] : group.seconds_per_round()) longest[phase] = std::max(longest[phase], seconds);
  }
  if (longest.empty()) return "";
  std::vector<std::pair<std::string, double>> phases(longest.begin(), longest.end());
  std::stable_sort(phases.begin(), phases.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const std::size_t groups = std::min(comparison.groups.size(), kMaxGroups);
  TextColumn letters{.title = "ms per round", .cells = {}, .left_aligned = true, .keep = TextColumn::kAlways};
  for (std::size_t i = 0; i < groups; ++i) letters.cells.emplace_back(1, letter(i));
  std::vector<TextColumn> columns = {std::move(letters)};
  for (std::size_t p = 0; p < phases.size(); ++p) {
    TextColumn column{.title = phases[p].first, .cells = {}, .keep = TextColumn::kAlways - 1 - static_cast<int>(p)};
    for (std::size_t i = 0; i < groups; ++i) {
      const auto seconds = comparison.groups[i].seconds_per_round();
      const auto found = seconds.find(phases[p].first);
      column.cells.push_back(found == seconds.end() ? "-" : fmt::format("{:.3g}", 1000 * found->second));
    }
    columns.push_back(std::move(column));
  }
  return "\n" + text_table(std::move(columns), width);
}

}  // namespace

char letter(std::size_t group) { return group < kMaxGroups ? static_cast<char>('A' + group) : '+'; }

std::string terminal_number(const Estimate& estimate, double scale, int fewer_digits) {
  if (!std::isfinite(estimate.mean)) return "-";
  if (std::abs(scale) >= 1e7) {
    const std::string mean = fmt::format("{:.{}g}", estimate.mean, 5 - fewer_digits);
    return std::isfinite(estimate.spread) ? fmt::format("{} ±{:.3g}", mean, estimate.spread) : mean;
  }
  const int before_point = std::abs(scale) < 10 ? 1 : 1 + static_cast<int>(std::log10(std::abs(scale)));
  const int digits = std::max(0, 5 - before_point - fewer_digits);
  const std::string mean = fmt::format("{:.{}f}", estimate.mean, digits);
  return std::isfinite(estimate.spread) ? fmt::format("{} ±{:.{}f}", mean, estimate.spread, digits) : mean;
}

std::string reference_line(const std::vector<double>& reference, std::size_t width) {
  std::string text = "hypervolume against";
  std::size_t column = text.size();
  const auto add = [&](const std::string& part) {
    const bool fits = column + 1 + part.size() <= width;
    text += (fits ? " " : "\n  ") + part;
    column = (fits ? column + 1 : 2) + part.size();
  };
  for (std::size_t k = 0; k < reference.size(); ++k) {
    add(fmt::format("{}{:.4g}{}", k == 0 ? "(" : "", reference[k], k + 1 == reference.size() ? ");" : ","));
  }
  add("higher is better");
  return text + '\n';
}

std::string terminal_details(const Comparison& comparison, const Comparison& points, std::size_t width,
                             const std::vector<double>& reference) {
  std::string text;
  if (comparison.objectives.size() > kFewObjectives) text += objective_table(comparison, width);
  text += metric_curves(comparison, width);
  text += lambda_lines(comparison, width);
  if (const std::string fronts = front_table(points, width, reference); !fronts.empty()) text += "\n" + fronts;
  text += phase_table(comparison, width);
  return text;
}

}  // namespace paretofl
