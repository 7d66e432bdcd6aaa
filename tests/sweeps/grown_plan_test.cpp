#include "paretofl/sweeps/grown_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "tests/sweeps/planned_quadratics.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(GrownPlan, NewSeedsJoinEveryOtherValue) {
  const SweepPlan plan = plan_over({"strategy.client_lr=0.1,0.2", "seed=1,2"});
  const SweepPlan grown = grown_plan(plan, {parse_seeds("2,3")});
  EXPECT_EQ(grown.keys, plan.keys);
  EXPECT_THAT(names(grown), ElementsAre("client_lr=0.1_seed=1", "client_lr=0.1_seed=2", "client_lr=0.2_seed=1", "client_lr=0.2_seed=2",
                                        "client_lr=0.1_seed=3", "client_lr=0.2_seed=3"));
  EXPECT_THAT(grown.runs[5].values, ElementsAre("0.2", "3"));
  EXPECT_EQ(flat_texts(grown.runs[5].config).at("seed"), "3");
  EXPECT_EQ(flat_texts(grown.runs[5].config).at("strategy.client_lr"), "0.2");
  EXPECT_EQ(difference(plan_over({"strategy.client_lr=0.1,0.2", "seed=1,2,3"}), grown), "")
      << "the same as if it had been asked for at once";
  EXPECT_EQ(names(grown_plan(plan, {parse_seeds("1..2")})), names(plan)) << "it has them all";
}

TEST(GrownPlan, WhatWasNotSweptIsFromThenOn) {
  const SweepPlan plan = grown_plan(plan_over({"strategy.client_lr=0.1,0.2"}), {parse_seeds("4")});
  EXPECT_THAT(plan.keys, ElementsAre("strategy.client_lr", "seed"));
  EXPECT_THAT(names(plan), ElementsAre("client_lr=0.1", "client_lr=0.2", "client_lr=0.1_seed=4", "client_lr=0.2_seed=4"));
  EXPECT_THAT(plan.runs[1].values, ElementsAre("0.2", "1"));
  const SweepPlan again = grown_plan(plan, {parse_seeds("1,5")});
  EXPECT_THAT(names(again), ElementsAre("client_lr=0.1", "client_lr=0.2", "client_lr=0.1_seed=4", "client_lr=0.2_seed=4",
                                        "client_lr=0.1_seed=5", "client_lr=0.2_seed=5"));
  EXPECT_THAT(names(grown_plan(plan_over({}), {parse_seeds("7")})), ElementsAre("fedavg-quadratics", "fedavg-quadratics_seed=7"));
}

TEST(GrownPlan, PreferencesAreKnownByTheirNumbersAndNumberedOn) {
  const SweepPlan short_names = plan_over({"strategy.objective_weights=[1,2],[2,1]", "seed=1,2"});
  const SweepPlan grown = grown_plan(short_names, {parse_axis("strategy.objective_weights=[1.0, 2.0],[3,1]")});
  ASSERT_EQ(grown.runs.size(), 6u) << "[1.0, 2.0] is [1,2]";
  EXPECT_EQ(grown.runs[4].name, "objective_weights=3,1_seed=1");
  EXPECT_EQ(grown.runs[5].name, "objective_weights=3,1_seed=2");
  EXPECT_EQ(grown_plan(short_names, {parse_axis("strategy.objective_weights=[3,1],[3.0,1.0]")}).runs.size(), 6u);

  const SweepPlan numbered = plan_over({"strategy.objective_weights=[0.123456789012,0.876543210988],[2,1]"});
  EXPECT_THAT(names(numbered), ElementsAre("objective_weights.1", "objective_weights.2"));
  EXPECT_THAT(names(grown_plan(numbered, {parse_axis("strategy.objective_weights=[3,1]")})),
              ElementsAre("objective_weights.1", "objective_weights.2", "objective_weights.3"));
}

TEST(GrownPlan, SurvivesItsFile) {
  const SweepPlan plan = grown_plan(plan_over({"strategy.client_lr=0.1,0.2"}), {parse_seeds("4")});
  const SweepPlan again = SweepPlan::from_settings(parse_config(to_toml(plan.to_settings()), "file"), "file");
  EXPECT_EQ(names(again), names(plan));
  EXPECT_EQ(difference(plan, again), "");
}

TEST(GrownPlan, RefusesWhatNoConfigHas) {
  EXPECT_THAT([] { grown_plan(plan_over({"seed=1"}), {parse_axis("strategy.preference=[1,2]")}); },
              ThrowsMessage<Error>(HasSubstr("expected a setting strategy.preference in every run")));
  std::string rounds = "rounds=1";
  for (int i = 2; i <= 320; ++i) rounds += "," + std::to_string(i);
  const SweepPlan plan = plan_over({rounds});
  EXPECT_THAT([&] { grown_plan(plan, {parse_seeds("1..320")}); }, ThrowsMessage<Error>(HasSubstr("at most 100000 runs")));
}

TEST(WithoutGrowth, LeavesSeedsAndPreferencesOutAndNothingElse) {
  const SweepPlan before = plan_over({"strategy.objective_weights=[1,2],[2,1]", "seed=1,2"});
  const SweepPlan more = plan_over({"strategy.objective_weights=[1,2],[2,1],[3,1]", "seed=1,2,3"});
  EXPECT_EQ(difference(before, without_growth(before, more)), "");
  const SweepPlan less = plan_over({"strategy.objective_weights=[1,2],[3,1]", "seed=1,2,3"});
  EXPECT_THAT(difference(before, without_growth(before, less)), HasSubstr("objective_weights=2,1_seed=1, "));
  const SweepPlan other = plan_over({"strategy.objective_weights=[1,2],[2,1]", "seed=1,2,3"}, planned_quadratics("client_lr = 0.5\n"));
  EXPECT_THAT(difference(before, without_growth(before, other)), HasSubstr("seed=3"));
}

}  // namespace
}  // namespace paretofl
