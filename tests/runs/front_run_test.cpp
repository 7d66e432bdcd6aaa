// A run of a strategy that trains a model for every preference: what it records, and what reads that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/report/front_csv.h"
#include "paretofl/report/front_points.h"
#include "paretofl/report/run_data.h"
#include "paretofl/runs/model_export.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_evaluation.h"
#include "paretofl/runs/trained_model.h"
#include "paretofl/terminal/terminal_fronts.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class FrontRun : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::filesystem::path train(const std::string& name, std::vector<std::string> more = {}) const {
    RunRequest request;
    request.settings.emplace();
    request.directory = root_ / name;
    request.shows_progress = false;
    request.overrides = {"workload=robust_quadratics", "strategy=pareto_manifold", "strategy.client_lr=0.6", "evaluation.every=20",
                         "rounds=40"};
    request.overrides.insert(request.overrides.end(), more.begin(), more.end());
    run(request);
    return request.directory;
  }
  static json summary(const std::filesystem::path& folder) {
    std::ifstream file(folder / "summary.json");
    return json::parse(file);
  }
  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }

  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) / ("front_run_" + std::to_string(::getpid()));
};

TEST_F(FrontRun, HasAFrontInTheOrderOfThePreferencesThatBeatsItsStart) {
  const json front = summary(train("run"))["front"];
  const auto preferences = front["preferences"].get<std::vector<std::vector<double>>>();
  const auto losses = front["loss"].get<std::vector<std::vector<double>>>();
  ASSERT_EQ(preferences, (std::vector<std::vector<double>>{{0, 1}, {0.25, 0.75}, {0.5, 0.5}, {0.75, 0.25}, {1, 0}}));
  ASSERT_EQ(losses.size(), 5U);
  for (std::size_t i = 0; i + 1 < losses.size(); ++i) EXPECT_GT(losses[i][0], losses[i + 1][0]) << i;
  for (std::size_t i = 1; i + 1 < losses.size(); ++i) EXPECT_LT(losses[i][1], losses[i + 1][1]) << i;
  const json start = summary(train("start", {"strategy.client_lr=0", "rounds=1"}))["front"]["loss"];
  for (const auto& before : start.get<std::vector<std::vector<double>>>()) {
    EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [&](const auto& after) { return after[0] < before[0] && after[1] < before[1]; }));
  }
}

TEST_F(FrontRun, GoesOnWithTheSameBitsAndTheSameFront) {
  const json whole = summary(train("whole", {"strategy.server_optimizer=momentum"}));
  const auto folder = train("parts", {"strategy.server_optimizer=momentum", "rounds=13"});
  RunRequest request;
  request.directory = folder;
  request.resume = true;
  request.overrides = {"rounds=40"};
  request.shows_progress = false;
  run(request);
  EXPECT_EQ(summary(folder)["parameters_sha256"], whole["parameters_sha256"]);
  EXPECT_EQ(summary(folder)["front"], whole["front"]);
  EXPECT_EQ(json::parse(evaluate_run({.run = folder}).dump())["front"], whole["front"]);
}

TEST_F(FrontRun, TheModelForAPreferenceIsEvaluatedAndWrittenOut) {
  const auto folder = train("run");
  const json front = summary(folder)["front"];
  const json found = json::parse(evaluate_run({.run = folder, .preference = std::vector<double>{1, 3}}).dump());
  EXPECT_EQ(found["test"]["loss"]["objective0"], front["loss"][1][0]);
  EXPECT_FALSE(found.contains("front"));
  export_model({.run = folder, .format = "safetensors", .output = root_ / "model", .preference = std::vector<double>{1, 3}});
  std::ifstream file(root_ / "model", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(bytes, HasSubstr(R"("preference":"[1.0,3.0]")"));
  const std::vector<float> theta = TrainedModel::load(folder).at(std::vector<double>{1, 3});
  EXPECT_EQ(bytes.substr(bytes.size() - 4 * theta.size()), std::string(reinterpret_cast<const char*>(theta.data()), 4 * theta.size()));
  EXPECT_THAT(error_of([&] { TrainedModel::load(folder).at(std::vector<double>{1}); }), HasSubstr("expected 2 numbers"));
  EXPECT_THAT(error_of([&] {
                TrainedModel::load(train("other", {"strategy=fedavg"})).at(std::vector<double>{1, 3});
              }),
              HasSubstr("preference: expected none for a run without a model for every preference"));
}

TEST_F(FrontRun, TheReportHasAPointForEachPreference) {
  const std::vector<RunData> runs = load_runs({train("run"), train("fedavg", {"strategy=fedavg"})});
  const std::vector<RunData> points = with_front_points(runs);
  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(points[1].point_name(), "run at [0.25, 0.75]");
  EXPECT_EQ(points[5].point_name(), "fedavg");
  EXPECT_EQ(json(points[3].test.at("loss")), summary(runs[0].folder)["front"]["loss"][3]);
  EXPECT_THAT(front_csv(runs), HasSubstr("pareto_manifold,\"[0.5, 0.5]\",1,robust_quadratics,loss,"));
  EXPECT_THAT(terminal_fronts(runs, {}), testing::ContainsRegex("A pareto_manifold +5 "));
}

const std::vector<std::string> kEnvelope = {"workload=deep_sea_treasure",
                                            "workload.clients=3",
                                            "workload.agent=envelope_dqn",
                                            "workload.agent.hidden=[16]",
                                            "workload.agent.learning_starts=20",
                                            "strategy=fedavg",
                                            "strategy.private_preferences=true",
                                            "strategy.cohort_size=3",
                                            "strategy.local_steps=60",
                                            "strategy.optimizer=adam",
                                            "strategy.client_lr=0.01",
                                            "rounds=4",
                                            "evaluation.every=2"};

TEST_F(FrontRun, OfAnAgentThatTakesPreferencesHasThePointsOfOneModel) {
  const auto folder = train("envelope", kEnvelope);
  const json front = summary(folder)["front"];
  EXPECT_EQ(front["preferences"], json({{0.0, 1.0}, {0.25, 0.75}, {0.5, 0.5}, {0.75, 0.25}, {1.0, 0.0}}));
  ASSERT_EQ(front["return"].size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto weights = front["preferences"][i].get<std::vector<double>>();
    const auto returns = front["return"][i].get<std::vector<double>>();
    EXPECT_NEAR(front["scalarized_return"][i].get<double>(), weights[0] * returns[0] + weights[1] * returns[1], 1e-12);
  }
  EXPECT_EQ(json::parse(evaluate_run({.run = folder}).dump())["front"], front);
  const json found = json::parse(evaluate_run({.run = folder, .preference = std::vector<double>{1, 3}}).dump());
  EXPECT_EQ(found["test"]["return"]["treasure"], front["return"][1][0]);
  EXPECT_EQ(found["test"]["return"]["time"], front["return"][1][1]);
  EXPECT_FALSE(found.contains("front"));
  EXPECT_EQ(with_front_points(load_runs({folder})).size(), 5U);
}

TEST_F(FrontRun, OfAnAgentWhoseModelAllShareIsEvaluatedAndWrittenOutWithoutAClient) {
  const auto folder = train("envelope", kEnvelope);
  const json evaluation = json::parse(evaluate_run({.run = folder}).dump());
  EXPECT_EQ(evaluation["shared"], true) << "though there are figures of every client, under its own preference";
  EXPECT_EQ(evaluation["clients"]["return"].size(), 3U);
  const auto bytes = [&](std::optional<int> client) {
    export_model({.run = folder, .format = "numpy", .output = root_ / "model", .client = client});
    std::ifstream file(root_ / "model", std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  };
  EXPECT_EQ(bytes({}), bytes(2));
  EXPECT_THAT(error_of([&] {
                export_model({.run = folder, .format = "onnx", .output = root_ / "model", .preference = std::vector<double>{1, 3}});
              }),
              HasSubstr("preference: expected none, since one model takes the preference as an input, as its exported network does; found "
                        "one of 2 numbers"));
}

TEST_F(FrontRun, OfAnAgentGoesOnWithTheSameBits) {
  auto parts = kEnvelope;
  parts.emplace_back("rounds=1");
  const auto folder = train("parts", parts);
  RunRequest request;
  request.directory = folder;
  request.resume = true;
  request.overrides = {"rounds=4", "runtime.threads=2"};
  request.shows_progress = false;
  run(request);
  const json whole = summary(train("whole", kEnvelope));
  EXPECT_EQ(summary(folder)["parameters_sha256"], whole["parameters_sha256"]);
  EXPECT_EQ(summary(folder)["front"], whole["front"]);
}

TEST_F(FrontRun, ThereIsNoneWhereClientsHaveModelsOfTheirOwnThatDiffer) {
  auto settings = kEnvelope;
  settings.insert(settings.end(), {"strategy=no_communication"});
  std::erase_if(settings, [](const std::string& text) {
    return text.starts_with("strategy.private") || text.starts_with("strategy.cohort") || text == "strategy=fedavg";
  });
  const auto folder = train("alone", settings);
  EXPECT_FALSE(summary(folder).contains("front"));
  EXPECT_THAT(error_of([&] {
                evaluate_run({.run = folder, .preference = std::vector<double>{1, 3}});
              }),
              HasSubstr("preference: expected none for a run whose clients have models of their own, found one of 2 numbers"));
  EXPECT_FALSE(evaluate_run({.run = folder}).contains("shared"));
  EXPECT_THAT(error_of([&] { export_model({.run = folder, .format = "numpy", .output = root_ / "model"}); }),
              HasSubstr("client: expected one of the 3 clients, which have models of their own, found none"));
}

TEST_F(FrontRun, AnAgentThatCannotLearnInItsRoundsIsToldOnce) {
  const auto warnings = [&](const std::string& name, const char* starts) {
    auto settings = kEnvelope;
    settings.insert(settings.end(), {"workload.agent.train_freq=4", starts});
    testing::internal::CaptureStderr();
    train(name, settings);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(
      warnings("never", "workload.agent.learning_starts=240"),
      "paretofl: warning: workload.agent.learning_starts: expected agents that learn within 4 rounds of 60 local steps, 240 steps of each "
      "client, found 240 steps and a train_freq of 4 before a client's first gradient step: no model changes\n");
  EXPECT_EQ(warnings("last", "workload.agent.learning_starts=239"), "") << "the gradient step after the last one";
  EXPECT_NE(summary(root_ / "last")["parameters_sha256"], summary(root_ / "never")["parameters_sha256"]);
}

TEST_F(FrontRun, FineTunedModelsThatThereAreNotAreRefused) {
  const auto error = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"evaluation.fine_tuned=true", "rounds=1"});
    return error_of([&] { train("refused", more); });
  };
  const char* tuned =
      "evaluation.fine_tuned: expected strategy.fine_tune = false with it, as the run's models are those before their last mixing "
      "otherwise, found true";
  EXPECT_EQ(error({"strategy=matfl", "strategy.fine_tune=true"}), tuned);
  EXPECT_EQ(error({"strategy=fedavg", "strategy.private_preferences=true", "strategy.fine_tune=true", "strategy.cohort_size=10",
                   "workload.clients=10"}),
            tuned);
  EXPECT_EQ(error({"strategy=ditto"}),
            "evaluation.fine_tuned: expected false with a strategy that does not mix the clients' models, found true with ditto");
  EXPECT_EQ(error({"strategy=matfl"}), "nothing");
}

TEST_F(FrontRun, AChosenModelIsRefused) {
  EXPECT_THAT(error_of([&] {
                train("chosen",
                      {"workload=glyphs", "workload.train_images=400", "workload.samples_per_client=20", "workload.test_images=20",
                       "workload.validation_fraction=0.2", "evaluation.choose_by=accuracy/left", "rounds=1"});
              }),
              HasSubstr("evaluation.choose_by: expected a strategy with one model for all clients, found pareto_manifold"));
}

}  // namespace
}  // namespace paretofl
