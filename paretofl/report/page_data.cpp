#include "paretofl/report/page_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "paretofl/report/client_data.h"
#include "paretofl/report/comparison.h"
#include "paretofl/report/curve.h"
#include "paretofl/report/front_points.h"
#include "paretofl/report/provenance.h"
#include "paretofl/report/rounded.h"
#include "paretofl/report/run_front.h"
#include "paretofl/report/training_data.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

using Json = nlohmann::json;

Json number(double value) { return rounded(value, 7); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

/// Of a curve, with as many digits as a chart shows.
Json plotted(const std::vector<std::vector<double>>& rows) {
  Json list = Json::array();
  for (const auto& row : rows) {
    Json numbers = Json::array();
    for (const double value : row) numbers.push_back(rounded(value, 5));
    list.push_back(std::move(numbers));
  }
  return list;
}

Json pair(const Estimate& estimate) { return {number(estimate.mean), number(estimate.spread)}; }

/// The test metrics that a run of the comparison has.
std::set<std::string> test_metrics(const Comparison& comparison) {
  std::set<std::string> names;
  for (const RunGroup& group : comparison.groups) {
    for (const RunData* run : group.runs) {
      for (const auto& [metric, values] : run->test) names.insert(metric);
    }
  }
  return names;
}

Json final_data(const RunGroup& group, const std::set<std::string>& metrics) {
  Json data = Json::object();
  for (const std::string& metric : metrics) {
    Json by_objective = Json::array();
    for (const Estimate& estimate : group.test(metric)) by_objective.push_back(pair(estimate));
    data[metric] = {{"objectives", by_objective}, {"mean", pair(group.test_mean(metric))}};
  }
  return data;
}

Json curve_data(const RunGroup& group, const std::vector<std::string>& objectives) {
  Json data = Json::object();
  for (const auto& [name, curve] : curves(group, objectives)) {
    Json entry = {{"series", curve.series}, {"rounds", curve.rounds}, {"bytes_up", numbers(curve.bytes_up)}, {"mean", plotted(curve.mean)}};
    if (group.runs.size() > 1) {
      entry["low"] = plotted(curve.low);
      entry["high"] = plotted(curve.high);
    }
    data[name] = std::move(entry);
  }
  return data;
}

Json failure_data(const RunData& run) {
  Json list = Json::array();
  for (const RecordedRound& row : run.rows) {
    for (const Failure& failure : row.failures) {
      list.push_back({{"round", row.round}, {"client", failure.client}, {"verb", failure.verb}, {"reason", failure.reason}});
    }
    if (!row.abandoned.empty()) list.push_back({{"round", row.round}, {"abandoned", row.abandoned}});
  }
  return list;
}

Json completion_data(const RunData& run) {
  Json list = Json::array();
  for (const ExampleCompletion& example : run.completions) {
    Json rewards = Json::object();
    for (const auto& [objective, reward] : example.reward) rewards[objective] = number(reward);
    list.push_back({{"prompt", example.prompt}, {"completion", example.completion}, {"reward", std::move(rewards)}});
  }
  return list;
}

/// What was read of runs' summaries, by folder: the points of a run's own front are all in one, which is long then.
using Provenances = std::map<std::filesystem::path, Texts>;

const Texts& provenance_of(const RunData& run, Provenances& read) {
  const auto found = read.find(run.folder);
  return found != read.end() ? found->second : read.emplace(run.folder, read_provenance(run.folder)).first->second;
}

Json run_data(const RunData& run, const std::set<std::string>& metrics, Provenances& provenances) {
  Json data = {{"name", run.name},
               {"seed", run.seed},
               {"rounds", run.rows.empty() ? 0 : run.rows.back().round},
               {"finished", run.summary.has_value()},
               {"torn", run.torn},
               {"bytes_up", number(run.bytes_up)},
               {"bytes_down", number(run.bytes_down)},
               {"config", to_toml(run.config)},
               {"failures", failure_data(run)},
               {"final", Json::object()}};
  if (run.late() > 0) data["late"] = run.late();
  if (run.simulated_seconds() > 0) data["simulated_seconds"] = run.simulated_seconds();
  if (Json clients = client_data(run); !clients.is_null()) data["clients"] = std::move(clients);
  if (Json training = training_data(run); !training.is_null()) data["training"] = std::move(training);
  if (!run.completions.empty()) data["completions"] = completion_data(run);
  for (const std::string& metric : metrics) {
    const auto found = run.test.find(metric);
    if (found != run.test.end()) data["final"][metric] = numbers(found->second);
  }
  if (run.summary) {
    data["sha256"] = run.summary->parameters_sha256;
    data["provenance"] = provenance_of(run, provenances);
    data["wall_seconds"] = number(run.summary->wall_seconds);
    data["cpu_seconds"] = number(run.summary->cpu_seconds);
    data["peak_rss_bytes"] = number(run.summary->peak_rss_bytes);
    if (!run.summary->failure.empty()) data["failure"] = run.summary->failure;
  }
  return data;
}

Json group_data(const RunGroup& group, const std::set<std::string>& metrics) {
  Json seeds = Json::array();
  Json failed = Json::array();  // of these, which have no final figures
  for (const RunData* run : group.runs) {
    seeds.push_back(run->seed);
    if (run->summary && !run->summary->failure.empty()) failed.push_back(run->seed);
  }
  return {{"label", group.label},
          {"strategy", group.strategy},
          {"color", group.strategy_index},
          {"variant", group.variant},
          {"on_front", group.on_front},
          {"seeds", seeds},
          {"failed", failed},
          {"final", final_data(group, metrics)},
          {"gramian_nrmse", pair(group.metric_mean("gramian_nrmse"))},
          {"bytes_up", pair(group.bytes_up())},
          {"wall_seconds", pair(group.wall_seconds())},
          {"cpu_seconds", pair(group.cpu_seconds())}};
}

/// How good each strategy's front is, by metric.
Json front_data(const Comparison& comparison, const std::set<std::string>& metrics, const std::vector<double>& reference) {
  Json data = Json::object();
  for (const std::string& metric : metrics) {
    data[metric] = Json::array();
    for (const FrontQuality& quality : front_qualities(comparison, metric, reference)) {
      data[metric].push_back({{"strategy", quality.strategy},
                              {"color", quality.strategy_index},
                              {"groups", quality.groups},
                              {"hypervolume", pair(quality.hypervolume)},
                              {"sparsity", pair(quality.sparsity)},
                              {"cardinality", pair(quality.cardinality)}});
    }
  }
  return data;
}

std::string title(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> strategies, workloads;
  for (const Comparison& comparison : comparisons) {
    if (std::find(workloads.begin(), workloads.end(), comparison.workload) == workloads.end()) workloads.push_back(comparison.workload);
    for (const RunGroup& group : comparison.groups) {
      if (std::find(strategies.begin(), strategies.end(), group.strategy) == strategies.end()) strategies.push_back(group.strategy);
    }
  }
  return fmt::format("{} on {}", fmt::join(strategies, ", "), fmt::join(workloads, ", "));
}

Json report_data(const std::vector<RunData>& runs, bool details, const std::vector<double>& reference) {
  const std::vector<RunData> points = with_front_points(runs);
  const std::vector<Comparison> comparisons = compare(points);
  Provenances provenances;
  Json workloads = Json::array();
  for (const Comparison& comparison : comparisons) {
    const std::set<std::string> metrics = test_metrics(comparison);
    Json higher = Json::object(), one_unit = Json::object(), references = Json::object();
    for (const std::string& metric : metrics) {
      higher[metric] = direction_of(metric) == Direction::kMaximize;
      one_unit[metric] = comparison.shares_unit(metric);
      references[metric] = numbers(run_fronts(comparison, metric, reference).reference);
    }
    Json groups = Json::array();
    for (const RunGroup& group : comparison.groups) {
      Json data = group_data(group, metrics);
      if (details) {
        data["curves"] = curve_data(group, comparison.objectives);
        data["seconds"] = Json::object();
        for (const auto& [phase, seconds] : group.seconds_per_round()) data["seconds"][phase] = number(seconds);
        data["settings"] = group.runs.front()->keys;
        data["runs"] = Json::array();
        for (const RunData* run : group.runs) data["runs"].push_back(run_data(*run, metrics, provenances));
      }
      groups.push_back(std::move(data));
    }
    workloads.push_back({{"name", comparison.workload},
                         {"title", comparison.title},
                         {"objectives", comparison.objectives},
                         {"metric", comparison.metric},
                         {"metrics", higher},
                         {"one_unit", one_unit},
                         {"seed_changes_problem", comparison.seed_changes_problem},
                         {"references", references},
                         {"strategy_fronts", front_data(comparison, metrics, reference)},
                         {"groups", std::move(groups)}});
  }
  return {{"title", title(comparisons)}, {"workloads", std::move(workloads)}};
}

}  // namespace

Json page_data(const std::vector<RunData>& runs, const std::vector<double>& reference) { return report_data(runs, true, reference); }

Json comparison_data(const std::vector<RunData>& runs, const std::vector<double>& reference) { return report_data(runs, false, reference); }

}  // namespace paretofl
