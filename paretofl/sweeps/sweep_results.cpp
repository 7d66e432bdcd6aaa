#include "paretofl/sweeps/sweep_results.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/report/client_set.h"
#include "paretofl/report/csv_row.h"
#include "paretofl/report/front_points.h"
#include "paretofl/report/html_report.h"
#include "paretofl/report/page_data.h"
#include "paretofl/report/run_front.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/terminal/terminal_details.h"
#include "paretofl/terminal/text_table.h"

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 120;  // of a table for the terminal

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const std::string& key, const std::string& value) {
  return std::visit([](const auto& held) { return Json(held); }, parse_value(value, key));
}

Json by_objective(const ObjectiveValues& values, const std::vector<std::string>& objectives) {
  Json json = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k) json[objectives[k]] = number(values[k]);
  return json;
}

Json run_json(const SweepPlan& plan, const PlannedRun& planned, const RunData& run, bool on_front) {
  Json json{{"run", planned.name}, {"values", Json::object()}};
  for (std::size_t i = 0; i < plan.keys.size(); ++i) json["values"][plan.keys[i]] = json_of(plan.keys[i], planned.values[i]);
  json["seed"] = json_of("seed", run.seed);
  json["strategy"] = run.strategy;
  json["workload"] = run.workload;
  json["rounds"] = run.rows.empty() ? 0 : run.rows.back().round;
  json["test"] = Json::object();
  for (const auto& [metric, values] : run.test) json["test"][metric] = by_objective(values, run.objectives);
  json["bytes_up"] = static_cast<std::uint64_t>(run.bytes_up);
  json["bytes_down"] = static_cast<std::uint64_t>(run.bytes_down);
  json["wall_seconds"] = run.summary->wall_seconds;
  json["cpu_seconds"] = run.summary->cpu_seconds;
  json["parameters_sha256"] = run.summary->parameters_sha256;
  json["on_front"] = on_front;
  return json;
}

Json names_json(const RunFront& front) {
  Json names = Json::array();
  for (const RunData* run : front.runs) names.push_back(run->point_name());
  return names;
}

/// The figures are means over the fronts, with their spread and each front apart where there are several.
Json front_json(const Comparison& comparison, const std::string& metric, const std::vector<double>& given_reference) {
  const RunFronts fronts = run_fronts(comparison, metric, given_reference);
  const Estimate cardinality = fronts.cardinality(), volume = fronts.hypervolume(), sparsity = fronts.sparsity();
  Json names = Json::array(), reference = Json::array();
  for (const RunFront& front : fronts.fronts) {
    for (const RunData* run : front.runs) names.push_back(run->point_name());
  }
  for (const double value : fronts.reference) reference.push_back(number(value));
  Json json{{"runs", names},
            {"cardinality", number(cardinality.mean)},
            {"hypervolume", number(volume.mean)},
            {"reference", reference},
            {"sparsity", number(sparsity.mean)}};
  if (fronts.fronts.size() < 2) return json;
  json["spread"] = {
      {"cardinality", number(cardinality.spread)}, {"hypervolume", number(volume.spread)}, {"sparsity", number(sparsity.spread)}};
  json["by_seed"] = Json::array();
  for (const RunFront& front : fronts.fronts) {
    json["by_seed"].push_back({{"seed", json_of("seed", front.seed)},
                               {"runs", names_json(front)},
                               {"cardinality", front.cardinality},
                               {"hypervolume", number(front.hypervolume)},
                               {"sparsity", number(front.sparsity)}});
  }
  return json;
}

/// The names of the runs on the fronts by their workloads' first metric, of a run with a front of its own if a point of it is; of one
/// objective there are none.
std::set<std::string> names_on_front(const std::vector<RunData>& runs) {
  const std::vector<RunData> points = with_front_points(runs);
  std::set<std::string> found;
  for (const Comparison& comparison : compare(points)) {
    if (comparison.objectives.size() < 2) continue;
    for (const RunFront& front : run_fronts(comparison, comparison.metric).fronts) {
      for (const RunData* run : front.runs) found.insert(run->name);
    }
  }
  return found;
}

std::string shown_estimate(const Estimate& estimate) {
  const std::string mean = fmt::format("{:.6g}", estimate.mean);
  return std::isfinite(estimate.spread) ? fmt::format("{} ±{:.3g}", mean, estimate.spread) : mean;
}

/// The columns of the final test metrics: all metrics and objectives of any run, in order of appearance.
std::vector<std::pair<std::string, std::string>> test_columns(const std::vector<RunData>& runs) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const RunData& run : runs) {
    for (const auto& [metric, values] : run.test) {
      for (const std::string& objective : run.objectives) {
        const std::pair column(metric, objective);
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
      }
    }
  }
  return columns;
}

std::string test_value(const RunData& run, const std::string& metric, const std::string& objective) {
  const auto values = run.test.find(metric);
  const auto found = std::find(run.objectives.begin(), run.objectives.end(), objective);
  if (values == run.test.end() || found == run.objectives.end()) return "";
  const double value = values->second[static_cast<std::size_t>(found - run.objectives.begin())];
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

/// The client sets of the runs that have some, each by its workload's first metric.
std::map<const RunData*, ClientSet> sets_by_run(const std::vector<RunData>& runs, const std::vector<double>& reference) {
  std::map<const RunData*, ClientSet> sets;
  for (const Comparison& comparison : compare(runs)) {
    for (ClientSet& set : client_sets(comparison, comparison.metric, reference).sets) sets.emplace(set.run, std::move(set));
  }
  return sets;
}

std::string client_value(const std::map<const RunData*, ClientSet>& sets, const RunData& run, const std::string& name) {
  const auto found = sets.find(&run);
  if (found == sets.end() || !std::isfinite(found->second.figures.at(name))) return "";
  return fmt::format("{}", found->second.figures.at(name));
}

Json clients_json(const Comparison& comparison, const std::vector<double>& reference) {
  const ClientSets sets = client_sets(comparison, comparison.metric, reference);
  if (sets.sets.empty()) return nullptr;
  Json json{{"metric", comparison.metric}, {"reference", sets.reference}, {"groups", Json::array()}};
  for (const RunGroup& group : comparison.groups) {
    Json row{{"label", group.label}};
    for (const std::string& name : client_set_figures()) {
      const Estimate estimate = sets.figure(group, name);
      row[name] = {{"mean", number(estimate.mean)}, {"spread", number(estimate.spread)}};
    }
    json["groups"].push_back(std::move(row));
  }
  return json;
}

}  // namespace

SweepResults SweepResults::load(const std::filesystem::path& directory, const SweepPlan& plan) {
  SweepResults results{.plan = plan, .runs = {}, .failed = {}, .reference = {}};
  for (const PlannedRun& run : plan.runs) {
    const std::filesystem::path folder = directory / run.name;
    if (RunDirectory::succeeded(folder)) {
      results.runs.push_back(load_run(folder));
    } else if (std::filesystem::exists(folder / "summary.json")) {
      results.failed.insert(run.name);
    }
  }
  return results;
}

std::string SweepResults::csv() const {
  const bool swept_seed = std::find(plan.keys.begin(), plan.keys.end(), "seed") != plan.keys.end();
  const auto columns = test_columns(runs);
  std::vector<std::string> head = {"run"};
  head.insert(head.end(), plan.keys.begin(), plan.keys.end());
  if (!swept_seed) head.emplace_back("seed");
  for (const char* name : {"strategy", "workload", "state", "rounds"}) head.emplace_back(name);
  const std::set<std::string> on_front = names_on_front(runs);
  head.emplace_back("on_front");
  for (const auto& [metric, objective] : columns) head.push_back(fmt::format("test/{}/{}", metric, objective));
  const auto sets = sets_by_run(runs, reference);
  for (const std::string& name : client_set_figures()) {
    if (!sets.empty()) head.push_back("clients/" + name);
  }
  for (const char* name : {"bytes_up", "bytes_down", "wall_seconds", "cpu_seconds", "parameters_sha256"}) head.emplace_back(name);

  std::string text = csv_row(head);
  auto run = runs.begin();
  for (const PlannedRun& planned : plan.runs) {
    const bool done = run != runs.end() && run->name == planned.name;
    const auto texts = flat_texts(planned.config);
    std::vector<std::string> cells = {planned.name};
    cells.insert(cells.end(), planned.values.begin(), planned.values.end());
    if (!swept_seed) cells.push_back(texts.at("seed"));
    const char* unfinished = failed.contains(planned.name) ? "failed" : "missing";
    cells.insert(cells.end(), {texts.at("strategy.name"), texts.at("workload.name"), done ? "done" : unfinished});
    if (done) {
      cells.push_back(fmt::format("{}", run->rows.empty() ? 0 : run->rows.back().round));
      cells.emplace_back(on_front.contains(run->name) ? "true" : "false");
      for (const auto& [metric, objective] : columns) cells.push_back(test_value(*run, metric, objective));
      for (const std::string& name : client_set_figures()) {
        if (!sets.empty()) cells.push_back(client_value(sets, *run, name));
      }
      for (const double bytes : {run->bytes_up, run->bytes_down}) cells.push_back(fmt::format("{:.0f}", bytes));
      for (const double seconds : {run->summary->wall_seconds, run->summary->cpu_seconds}) cells.push_back(fmt::format("{:.3f}", seconds));
      cells.push_back(run->summary->parameters_sha256);
      ++run;
    }
    cells.resize(head.size());
    text += csv_row(cells);
  }
  return text;
}

Json SweepResults::json(const std::filesystem::path& directory) const {
  Json json{{"directory", directory.string()}, {"runs", Json::array()}, {"failed", failed}, {"missing", Json::array()}};
  const std::set<std::string> on_front = names_on_front(runs);
  auto run = runs.begin();
  for (const PlannedRun& planned : plan.runs) {
    if (run != runs.end() && run->name == planned.name) {
      json["runs"].push_back(run_json(plan, planned, *run, on_front.contains(run->name)));
      ++run;
    } else if (!failed.contains(planned.name)) {
      json["missing"].push_back(planned.name);
    }
  }
  json["workloads"] = comparison_data(runs, reference).at("workloads");
  const std::vector<RunData> points = with_front_points(runs);
  const std::vector<Comparison> comparisons = compare(points);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    Json& workload = json["workloads"][i];
    workload["fronts"] = Json::object();
    for (const auto& [metric, higher] : workload.at("metrics").items())
      workload["fronts"][metric] = front_json(comparisons[i], metric, reference);
    if (Json clients = clients_json(comparisons[i], reference); !clients.is_null()) workload["clients"] = std::move(clients);
  }
  return json;
}

void SweepResults::write(const std::filesystem::path& directory) const {
  write_whole_file(directory / "sweep.csv", csv());
  write_whole_file(directory / "sweep.json", json_text(json(directory), 2) + '\n');
  if (!runs.empty()) write_html_report(runs, directory / "report.html", reference);
}

std::string SweepResults::front_text() const {
  const std::vector<RunData> points = with_front_points(runs);
  std::string text;
  for (const Comparison& comparison : compare(points)) {
    if (comparison.objectives.size() < 2) continue;
    const RunFronts all = run_fronts(comparison, comparison.metric, reference);
    const bool several = all.fronts.size() > 1;
    const Estimate cardinality = all.cardinality(), sparsity = all.sparsity(), volume = all.hypervolume();
    text += fmt::format("\nPareto front{} over all runs on {} by test {}: {} distinct points", several ? "s" : "",
                        printable(comparison.title), printable(comparison.metric), all.fronts.empty() ? "no" : shown_estimate(cardinality));
    if (std::isfinite(sparsity.mean)) text += fmt::format(", sparsity {}", shown_estimate(sparsity));
    if (std::isfinite(volume.mean))
      text += fmt::format(",\nhypervolume {} against ({:.4g}); higher is better", shown_estimate(volume), fmt::join(all.reference, ", "));
    if (several)
      text += fmt::format("\nOne front for each of the {} seeds, since the seed changes the problem; mean ± standard deviation.",
                          all.fronts.size());
    text += '\n';
    constexpr std::size_t kShown = 12;
    std::size_t count = 0;
    for (const RunFront& front : all.fronts) {
      for (const RunData* run : front.runs) {
        if (++count <= kShown) text += fmt::format("  {}\n", printable(run->point_name()));
      }
    }
    if (count > kShown) text += fmt::format("  and {} more\n", count - kShown);
  }
  return text;
}

std::string SweepResults::client_text() const {
  std::string text;
  for (const Comparison& comparison : compare(runs)) {
    const ClientSets sets = client_sets(comparison, comparison.metric, reference);
    if (sets.sets.empty()) continue;
    text += fmt::format("\nThe clients' models on {}, by test {}; hypervolume (higher is better) against ({:.4g}):\n",
                        printable(comparison.title), printable(comparison.metric), fmt::join(sets.reference, ", "));
    std::vector<TextColumn> columns = {{.title = "", .cells = {}, .left_aligned = true, .keep = TextColumn::kAlways}};
    for (const RunGroup& group : comparison.groups) columns[0].cells.push_back(group.label);
    for (const std::string& name : client_set_figures()) {
      TextColumn column{.title = name, .cells = {}, .keep = TextColumn::kAlways - static_cast<int>(columns.size())};
      for (const RunGroup& group : comparison.groups) {
        const Estimate estimate = sets.figure(group, name);
        column.cells.push_back(terminal_number(estimate, std::abs(estimate.mean)));
      }
      columns.push_back(std::move(column));
    }
    text += text_table(std::move(columns), kWidth);
  }
  return text;
}

}  // namespace paretofl
