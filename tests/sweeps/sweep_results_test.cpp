#include "paretofl/sweeps/sweep_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

RunData run_with_losses(const std::string& seed, const ObjectiveValues& losses) {
  RunData run;
  run.name = "seed=" + seed;
  run.seed = seed;
  run.strategy = "fedavg";
  run.workload = "quadratics";
  run.objectives = {"f0", "f1"};
  run.test["loss"] = losses;
  run.seed_changes_problem = false;
  run.summary.emplace();
  return run;
}

TEST(SweepResults, TheFrontsTextLeavesOutWhatNoDoubleHolds) {
  const SweepResults results{.plan = {}, .runs = {run_with_losses("1", {0, 1e200}), run_with_losses("2", {1e200, 0})}};
  EXPECT_THAT(results.front_text(), HasSubstr("by test loss: 2 distinct points,\nhypervolume 0 "));
  const SweepResults near{.plan = {}, .runs = {run_with_losses("1", {0, 2}), run_with_losses("2", {1, 0})}};
  EXPECT_THAT(near.front_text(), HasSubstr("2 distinct points, sparsity 5,\nhypervolume "));
}

TEST(SweepResults, SeedsOfDifferentProblemsHaveFrontsOfTheirOwn) {
  SweepResults results{.plan = {.keys = {"seed"}, .runs = {}}, .runs = {}};
  const Settings config = parse_config("seed = 1\n[strategy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n", "test");
  const std::vector<ObjectiveValues> losses = {{1, 1}, {5, 7}, {6, 8}};
  for (const char* seed : {"1", "2", "3"}) {
    results.plan.runs.push_back({std::string("seed=") + seed, {seed}, config});
    results.runs.push_back(run_with_losses(seed, losses[results.runs.size()]));
    results.runs.back().keys = {{"seed", seed}};
  }
  const auto marks = [&] {
    std::vector<std::string> found;
    const std::string table = results.csv();
    for (const char* seed : {"1", "2", "3"}) {
      const std::size_t row = table.find(std::string("\nseed=") + seed);
      found.push_back(table.substr(row, table.find('\n', row + 1) - row).find(",true,") != std::string::npos ? "true" : "false");
    }
    return found;
  };
  EXPECT_THAT(results.csv(), testing::StartsWith("run,seed,strategy,workload,state,rounds,on_front,test/loss/f0,"));
  EXPECT_THAT(marks(), testing::ElementsAre("true", "false", "false"));
  EXPECT_FALSE(results.json("here")["workloads"][0]["fronts"]["loss"].contains("by_seed"));

  for (RunData& run : results.runs) run.seed_changes_problem = true;
  results.reference = {10, 10};
  EXPECT_THAT(marks(), testing::ElementsAre("true", "true", "true"));
  const auto front = results.json("here")["workloads"][0]["fronts"]["loss"];
  EXPECT_EQ(front["reference"], (std::vector<double>{10, 10}));
  EXPECT_DOUBLE_EQ(front["hypervolume"], (81 + 15 + 8) / 3.0);
  EXPECT_EQ(front["by_seed"][1],
            nlohmann::ordered_json::parse(R"({"seed": 2, "runs": ["seed=2"], "cardinality": 1, "hypervolume": 15.0, "sparsity": 0.0})"));
  EXPECT_EQ(results.json("here")["runs"][1]["on_front"], true);
  EXPECT_THAT(results.front_text(), HasSubstr("Pareto fronts over all runs on quadratics by test loss: 1 ±0 distinct points"));
  EXPECT_THAT(results.front_text(), HasSubstr("against (10, 10); higher is better\nOne front for each of the 3 seeds"));
}

}  // namespace
}  // namespace paretofl
