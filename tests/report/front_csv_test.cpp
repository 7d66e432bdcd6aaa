#include "paretofl/report/front_csv.h"

#include <gtest/gtest.h>

#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

TEST(FrontCsv, HasTheRunsOnTheFrontWithWhatTellsThemApart) {
  const auto runs = sample_run_data(
      "front_csv", {{.name = "a", .final_accuracy = {0.9, 0.5}, .settings = "preference = [0.9, 0.1]\n"},
                    {.name = "b", .final_accuracy = {0.4, 0.4}, .settings = "preference = [0.5, 0.5]\n"},
                    {.name = "c", .strategy = "fedavg", .final_accuracy = {0.5, 0.8}, .settings = "objective_weights = [0.1, 0.9]\n"},
                    {.name = "d", .strategy = "fedavg", .final_accuracy = {0.3, 0.8}, .settings = "objective_weights = [0.2, 0.8]\n"},
                    {.name = "e", .strategy = "single", .final_accuracy = {0.1, 0.9}, .settings = "objective = 0\n"}});
  EXPECT_EQ(front_csv(runs),
            "strategy,preference,seed,workload,metric,left,right,run\n"
            "fedcmoo,\"[0.9, 0.1]\",1,glyphs,accuracy,0.9,0.5,a\n"
            "fedavg,\"[0.1, 0.9]\",1,glyphs,accuracy,0.5,0.8,c\n"
            "single,,1,glyphs,accuracy,0.1,0.9,e\n");
}

TEST(FrontCsv, OneFrontPerSeedWhereTheSeedChangesTheProblem) {
  const auto runs = sample_run_data("front_csv", {{.name = "a", .final_accuracy = {0.9, 0.9}, .seed_changes_problem = true},
                                                  {.name = "b", .seed = 2, .final_accuracy = {0.5, 0.5}, .seed_changes_problem = true}});
  EXPECT_EQ(front_csv(runs),
            "strategy,seed,workload,metric,left,right,run\n"
            "fedcmoo,1,glyphs,accuracy,0.9,0.9,a\n"
            "fedcmoo,2,glyphs,accuracy,0.5,0.5,b\n");
}

TEST(FrontCsv, ObjectivesNamedAsOtherColumnsAreToldApart) {
  const auto runs = sample_run_data("front_csv", {{.name = "a", .objectives = {"seed", "run"}, .final_accuracy = {0.9, 0.5}}});
  EXPECT_EQ(front_csv(runs),
            "strategy,seed,workload,metric,objective seed,objective run,run\n"
            "fedcmoo,1,glyphs,accuracy,0.9,0.5,a\n");
}

TEST(FrontCsv, OneFrontPerEnvironment) {
  const auto runs = sample_run_data("front_csv", {{.name = "a", .final_accuracy = {0.9, 0.9}, .problem = "environment = \"one\"\n"},
                                                  {.name = "b", .final_accuracy = {0.5, 0.5}, .problem = "environment = \"two\"\n"}});
  EXPECT_EQ(front_csv(runs),
            "strategy,workload.environment,seed,workload,metric,left,right,run\n"
            "fedcmoo,one,1,glyphs,accuracy,0.9,0.9,a\n"
            "fedcmoo,two,1,glyphs,accuracy,0.5,0.5,b\n");
}

TEST(FrontCsv, OneObjectiveHasNoFront) {
  const auto runs = sample_run_data("front_csv", {{.name = "a", .objectives = {"only"}, .final_accuracy = {0.9}}});
  EXPECT_EQ(front_csv(runs), "strategy,seed,workload,metric,run\n");
}

}  // namespace
}  // namespace paretofl
