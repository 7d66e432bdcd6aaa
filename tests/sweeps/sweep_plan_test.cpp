#include "paretofl/sweeps/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "tests/sweeps/planned_quadratics.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SweepPlan, IsTheProductOfItsAxesTheLastOneFastest) {
  const SweepPlan plan = plan_over({"strategy.client_lr=0.1,0.2", "seed=1,2,3"});
  EXPECT_THAT(plan.keys, ElementsAre("strategy.client_lr", "seed"));
  EXPECT_THAT(names(plan), ElementsAre("client_lr=0.1_seed=1", "client_lr=0.1_seed=2", "client_lr=0.1_seed=3", "client_lr=0.2_seed=1",
                                       "client_lr=0.2_seed=2", "client_lr=0.2_seed=3"));
  for (const PlannedRun& run : plan.runs) {
    const auto texts = flat_texts(run.config);
    EXPECT_THAT(run.values, ElementsAre(texts.at("strategy.client_lr"), texts.at("seed")));
    EXPECT_EQ(texts.at("strategy.server_optimizer.name"), "sgd") << "configs are resolved";
  }
}

TEST(SweepPlan, SweepsVectors) {
  const SweepPlan plan = plan_over({"strategy.objective_weights=[1,2],[2,1]"});
  EXPECT_THAT(names(plan), ElementsAre("objective_weights=1,2", "objective_weights=2,1"));
  EXPECT_EQ(flat_texts(plan.runs[1].config).at("strategy.objective_weights"), "[2.0, 1.0]");
}

TEST(SweepPlan, OptionsOfAPartThatAnAxisNamesAreKeptInAnyOrder) {
  const auto weights = [](const SweepPlan& plan) {
    std::vector<std::string> found;
    for (const PlannedRun& run : plan.runs) found.push_back(flat_texts(run.config).at("strategy.server_optimizer.lr"));
    return found;
  };
  const std::string parts = "strategy.server_optimizer=\"sgd\",\"adam\"", option = "strategy.server_optimizer.lr=";
  const SweepPlan plan = plan_over({option + "0.5,0.25", parts});
  EXPECT_THAT(weights(plan), ElementsAre("0.5", "0.5", "0.25", "0.25"));
  EXPECT_THAT(names(plan), ElementsAre("lr=0.5_server_optimizer=sgd", "lr=0.5_server_optimizer=adam", "lr=0.25_server_optimizer=sgd",
                                       "lr=0.25_server_optimizer=adam"));
  Settings settings = planned_quadratics();
  apply_override(settings, option + "0.5");
  EXPECT_THAT(weights(make_plan({{"a", settings}}, {parse_axis(parts)}, {option + "0.5"})), ElementsAre("0.5", "0.5"));
}

TEST(SweepPlan, NamesAreDistinctFoldersWhateverTheValues) {
  const std::string path = "data.root=a/b,a-b,\"../c\"";
  EXPECT_THAT(names(plan_over({path})), ElementsAre("root.1", "root.2", "root.3"));
  const std::string one(40, '1'), two(40, '2');
  EXPECT_THAT(names(plan_over({"data.root=" + one + "," + two})), ElementsAre("root.1", "root.2"));
  EXPECT_THAT(names(plan_over({"strategy.name=fedavg,fedprox"})), ElementsAre("strategy=fedavg", "strategy=fedprox"));
  EXPECT_THAT(names(plan_over({"evaluation.every=1,2", "checkpoint.every=3"})),
              ElementsAre("evaluation.every=1_checkpoint.every=3", "evaluation.every=2_checkpoint.every=3"));
}

TEST(SweepPlan, SeveralConfigsAreOneDimension) {
  const SweepPlan plan = make_plan({{"a", planned_quadratics()}, {"b", planned_quadratics("client_lr = 0.5\n")}}, {parse_seeds("1..2")});
  EXPECT_THAT(plan.keys, ElementsAre("config", "seed"));
  EXPECT_THAT(names(plan), ElementsAre("a_seed=1", "a_seed=2", "b_seed=1", "b_seed=2"));
  EXPECT_EQ(flat_texts(plan.runs[3].config).at("strategy.client_lr"), "0.5");
  EXPECT_THAT(names(make_plan({{"a", planned_quadratics()}}, {})), ElementsAre("a"));
}

TEST(SweepPlan, RefusesBadGrids) {
  EXPECT_THAT(
      [] {
        make_plan({{"a", planned_quadratics()}}, {parse_seeds("1..2")}, {"seed=7"});
      },
      ThrowsMessage<Error>("sweep: expected seed either set or swept, found both"));
  EXPECT_THAT(
      [] {
        make_plan({{"a", planned_quadratics()}}, {parse_axis("strategy=\"fedavg\",\"fedcmoo\"")}, {"strategy.name=\"fedavg\""});
      },
      ThrowsMessage<Error>("sweep: expected strategy either set or swept, found both"));
  EXPECT_THAT([] { make_plan({}, {}); }, ThrowsMessage<Error>(HasSubstr("expected a CONFIG")));
  EXPECT_THAT(
      [] {
        make_plan({{"a", planned_quadratics()}, {"a", planned_quadratics()}}, {});
      },
      ThrowsMessage<Error>(HasSubstr("a twice")));
  EXPECT_THAT([] { plan_over({"seed=1", "seed=2"}); }, ThrowsMessage<Error>(HasSubstr("seed twice")));
  EXPECT_THAT([] { plan_over({"strategy.client_rl=1,2"}); }, ThrowsMessage<Error>(HasSubstr("did you mean strategy.client_lr")));
  EXPECT_THAT([] { plan_over({"rounds=10,-1"}); }, ThrowsMessage<Error>(HasSubstr("rounds")));
  std::string many = "seed=0", more = "rounds=1";
  for (int i = 1; i < 400; ++i) many += "," + std::to_string(i), more += "," + std::to_string(i + 1);
  EXPECT_THAT([&] { plan_over({many, more}); }, ThrowsMessage<Error>(HasSubstr("at most 100000 runs")));
  EXPECT_THAT([] { plan_over({"strategy.client_lr=0.1,0.10"}); },
              ThrowsMessage<Error>(HasSubstr("the same in client_lr=0.1 and client_lr=0.10")));
  EXPECT_THAT(
      [] {
        make_plan({{std::string(256, 'a'), planned_quadratics()}}, {});
      },
      ThrowsMessage<Error>(HasSubstr("names of runs of at most 255 characters")));
}

TEST(SweepPlan, SurvivesItsFile) {
  const SweepPlan plan = make_plan({{"a", planned_quadratics()}, {"b \"x\"", planned_quadratics("client_lr = 0.5\n")}},
                                   {parse_axis("strategy.objective_weights=[1,2],[2,1]")});
  const SweepPlan again = SweepPlan::from_settings(parse_config(to_toml(plan.to_settings()), "file"), "file");
  EXPECT_EQ(again.keys, plan.keys);
  ASSERT_EQ(names(again), names(plan));
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    EXPECT_EQ(again.runs[i].values, plan.runs[i].values);
    EXPECT_EQ(again.runs[i].config, plan.runs[i].config);
  }
  EXPECT_EQ(difference(plan, again), "");
}

TEST(SweepPlan, RefusesAFileThatIsNoPlan) {
  const std::string good = to_toml(plan_over({"seed=1,2"}).to_settings());
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"keys = ", "kees = "},
                                                                                 {"\"seed=2\"]", "\"seed=3\"]"},
                                                                                 {"\"seed=2\"]", "\"..\"]"},
                                                                                 {"\"seed=2\"]", "\"/etc\"]"},
                                                                                 {"\"seed=2\"]", "\"seed=1\"]"},
                                                                                 {"[\"seed=1\", \"seed=2\"]", "[]"},
                                                                                 {"\"seed\"]", "\"seed\", \"x\"]"},
                                                                                 {"rounds = 100", "rounds = 0"}}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << from;
    bad.replace(bad.find(from), from.size(), to);
    EXPECT_THROW(SweepPlan::from_settings(parse_config(bad, "file"), "file"), Error) << to;
  }
}

TEST(SweepPlan, OfAPythonProblemSaysHowPythonContinuesIt) {
  SweepPlan plan = plan_over({"seed=1"});
  Settings problem;
  problem.values = {{"name", "python"}, {"problem", "mine.Two"}, {"fingerprint", "ab"}};
  plan.runs.front().config.tables["workload"] = problem;
  EXPECT_THAT([&] { SweepPlan::from_settings(plan.to_settings(), "runs/mine/sweep.toml"); },
              ThrowsMessage<Error>("sweep: expected a workload of this program, found the problem mine.Two of Python code; there, "
                                   "paretofl.sweep(problem, directory=\"runs/mine\", resume=True) continues the sweep"));
}

TEST(SweepPlan, TellsWhatDiffers) {
  const SweepPlan before = plan_over({"seed=1,2,3"});
  EXPECT_EQ(difference(before, plan_over({"seed=1,2,3", "rounds=7"})), "over seed before, over seed, rounds now");
  EXPECT_EQ(difference(before, plan_over({"seed=1,2"})), "seed=3 before, not now");
  EXPECT_EQ(difference(before, plan_over({"seed=1,2,3,4,5,6,7"})), "seed=4, seed=5, seed=6 and 1 more now, not before");
  EXPECT_EQ(difference(before, plan_over({"seed=1,2,3"}, planned_quadratics("client_lr = 0.5\n"))),
            "strategy.client_lr 0.1 before, 0.5 now in seed=1");
  Settings elsewhere = planned_quadratics();
  for (const char* change : {"runtime.threads=7", "data.root=there", "checkpoint.every=3"}) apply_override(elsewhere, change);
  EXPECT_EQ(difference(before, plan_over({"seed=1,2,3"}, elsewhere)), "") << "no result depends on these";
}

}  // namespace
}  // namespace paretofl
