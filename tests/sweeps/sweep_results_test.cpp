#include "paretofl/sweeps/sweep_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  return run;
}

TEST(SweepResults, TheFrontsTextLeavesOutWhatNoDoubleHolds) {
  const SweepResults results{.plan = {}, .runs = {run_with_losses("1", {0, 1e200}), run_with_losses("2", {1e200, 0})}};
  EXPECT_THAT(results.front_text(), HasSubstr("by test loss: 2 distinct points,\nhypervolume 0 "));
  const SweepResults near{.plan = {}, .runs = {run_with_losses("1", {0, 2}), run_with_losses("2", {1, 0})}};
  EXPECT_THAT(near.front_text(), HasSubstr("2 distinct points, sparsity 5,\nhypervolume "));
}

}  // namespace
}  // namespace paretofl
