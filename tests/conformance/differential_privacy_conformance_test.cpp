// Every registered strategy with clipping and noise: those that need nothing but sums train within a budget, and the others refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/privacy/noise_search.h"
#include "paretofl/rounds/strategy.h"
#include "tests/conformance/runs_on_sums.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

/// How many sums a round of a strategy releases.
std::int64_t releases_of(const std::string& strategy) { return strategy.starts_with("fedcmoo") ? 2 : 1; }

class DifferentialPrivacy : public RunsOnSums, public testing::WithParamInterface<const RegistryEntry*> {
 protected:
  static Settings noised(const std::string& strategy) {
    Settings settings = settings_of(strategy);
    if (known_to_work_on_noised_sums(strategy) && strategy != "tfirm")
      settings.tables["strategy"].values["client_weighting"] = std::string("uniform");
    settings.tables["privacy"].values = {{"clip", 0.5}, {"noise_multiplier", 0.8}};
    return settings;
  }
};

TEST_P(DifferentialPrivacy, StatesWhatTheRunDiscloses) {
  const std::string& strategy = GetParam()->name;
  if (!known_to_work_on_noised_sums(strategy)) {
    EXPECT_THROW(run_in("noised", noised(strategy)), Error);
    EXPECT_FALSE(std::filesystem::exists(root_ / "noised"));
    return;
  }
  run_in("noised", noised(strategy));
  const nlohmann::json found = summary("noised");
  const double planned =
      planned_epsilon("rdp", {.sampling = CohortSampling::fixed_size(5, 6), .rounds = 3, .releases = releases_of(strategy)}, 0.8, 1e-5);
  EXPECT_NEAR(found["epsilon"].get<double>(), planned, 1e-9 * planned);
  EXPECT_EQ(found["delta"], 1e-5);
  EXPECT_EQ(last_row("noised")["metrics"]["epsilon"], found["epsilon"]);
}

TEST_P(DifferentialPrivacy, HasTheSameBitsOnAnyThreadsAndAfterACheckpoint) {
  const std::string& strategy = GetParam()->name;
  if (!known_to_work_on_noised_sums(strategy)) return;  // Refused, as the test above shows.
  for (const bool secure : {false, true}) {
    for (const char* sampling : {"fixed_size", "poisson"}) {
      const std::string name = std::string(secure ? "secure_" : "plain_") + sampling;
      if (secure && std::string(sampling) == "poisson") continue;  // refused
      Settings settings = noised(strategy);
      settings.tables["privacy"].values["secure_aggregation"] = secure;
      settings.tables["privacy"].values["sampling"] = std::string(sampling);
      settings.tables["privacy"].values["adaptive_clip"] = true;
      run_in(name, settings);
      run_in(name + "_threads", settings, {"runtime.threads=2", "runtime.through_wire=true"});
      EXPECT_EQ(theta(name + "_threads"), theta(name)) << name;
      run_in_two_parts(name + "_parts", settings);
      EXPECT_EQ(theta(name + "_parts"), theta(name)) << name;
      EXPECT_EQ(summary(name + "_parts")["epsilon"], summary(name)["epsilon"]) << name;
    }
  }
}

/// With little noise, a run that clips nothing is the run without any of this.
TEST_P(DifferentialPrivacy, TakesNothingAwayThatItNeedNot) {
  const std::string& strategy = GetParam()->name;
  if (!known_to_work_on_noised_sums(strategy)) return;  // Refused, as the test above shows.
  Settings settings = settings_of(strategy);
  run_in("plain", settings);
  settings.tables["privacy"].values = {{"clip", 1000.0}, {"clip_losses", 1000.0}};
  run_in("clipped", settings);
  const std::vector<float> plain = theta("plain");
  const std::vector<float> clipped = theta("clipped");
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(clipped[i], plain[i], 1e-5 + 1e-5 * std::abs(plain[i])) << i;
}

TEST_P(DifferentialPrivacy, EndsBeforeTheBudgetIsExceeded) {
  const std::string& strategy = GetParam()->name;
  if (!known_to_work_on_noised_sums(strategy)) return;  // Refused, as the test above shows.
  const auto after = [&](std::int64_t rounds) {
    return planned_epsilon("rdp", {.sampling = CohortSampling::fixed_size(5, 6), .rounds = rounds, .releases = releases_of(strategy)}, 0.8,
                           1e-5);
  };
  Settings settings = noised(strategy);
  settings.tables["privacy"].values["budget"] = 0.5 * (after(2) + after(3));
  run_in("ended", settings);
  const nlohmann::json found = summary("ended");
  EXPECT_EQ(found["rounds"], 2);
  EXPECT_EQ(found["ended_by"], "privacy.budget");
  EXPECT_EQ(found["status"], "completed");
  EXPECT_LE(found["epsilon"].get<double>(), 0.5 * (after(2) + after(3)));
  // Going on does not go beyond it.
  RunRequest further;
  further.directory = root_ / "ended";
  further.resume = true;
  further.shows_progress = false;
  run(further);
  EXPECT_EQ(summary("ended")["rounds"], 2);

  settings.tables["privacy"].values["budget"] = 0.5 * after(1);
  try {
    run_in("never", settings);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("privacy.budget: expected an epsilon of at least"));
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, DifferentialPrivacy, testing::ValuesIn(strategies().entries()),
                         [](const auto& info) { return info.param->name; });

class NoisedSketches : public RunsOnSums {
 protected:
  std::string refused(const Settings& settings, std::vector<std::string> overrides) const {
    try {
      run_in("refused", settings, std::move(overrides));
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(NoisedSketches, WhatHasNoBoundIsRefused) {
  const std::vector<std::string> noise{"privacy.clip=1", "privacy.noise_multiplier=1"};
  const auto with = [&](std::string more) {
    std::vector<std::string> overrides = noise;
    overrides.push_back(std::move(more));
    return overrides;
  };
  Settings settings = settings_of("fedcmoo");
  const char* expected = "expected a strategy that needs nothing but means with equal weights";
  EXPECT_THAT(refused(settings, with("strategy.measure_nrmse=true")), HasSubstr(expected));
  settings.tables["strategy"].values["compressor"] = std::string("client_grams");
  EXPECT_THAT(refused(settings, noise), HasSubstr(expected));
  EXPECT_THAT(refused(settings_of("firm"), with("evaluation.federated=true")), HasSubstr("evaluation.federated: expected false"));
  EXPECT_THAT(refused(settings_of("fedavg"), with("strategy.client_weighting=samples")), HasSubstr(expected));
}

/// The noise that a Gramian of sketches is known to have is taken off again: without that, its trace would be a quarter larger.
TEST_F(NoisedSketches, TheGramianIsThatOfTheSketchesOnAverage) {
  Settings settings = settings_of("fedcmoo");
  settings.values["rounds"] = std::int64_t{200};
  settings.tables["evaluation"].values["every"] = std::int64_t{200};
  auto& own = settings.tables["strategy"];
  own.values["client_lr"] = 1e-9;  // the model stays where it is, and so does the Gramian
  own.values.erase("compressor");
  own.tables["compressor"].values = {{"name", std::string("random_projection")}, {"budget", 1.5}};
  settings.tables["workload"].values["clients"] = std::int64_t{6};
  own.values["cohort_size"] = std::int64_t{6};
  settings.tables["privacy"].values = {{"clip", 1e-6}, {"clip_jacobian", 20.0}, {"noise_multiplier", 0.08}};
  run_in("noised", settings);
  settings.tables["privacy"].values["noise_multiplier"] = 0.0;
  run_in("clipped", settings);
  const auto trace = [&](const std::string& name) {
    std::ifstream file(root_ / name / "metrics.jsonl");
    double sum = 0;
    int rows = 0;
    for (std::string line; std::getline(file, line); ++rows) {
      const nlohmann::json gramian = nlohmann::json::parse(line)["metrics"]["gramian"];
      sum += gramian[0].get<double>() + gramian[4].get<double>() + gramian[8].get<double>();
    }
    return sum / rows;
  };
  EXPECT_NEAR(trace("noised"), trace("clipped"), 0.1 * trace("clipped"));
}

class PrivateRuns : public RunsOnSums {
 protected:
  std::string refusal(Settings settings) {
    try {
      run_in("refused", std::move(settings));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(PrivateRuns, NoiseThatWouldTellCohortsOrBeNoneIsRefused) {
  Settings settings = settings_of("fedavg");
  settings.tables["strategy"].values["client_weighting"] = std::string("uniform");
  settings.tables["privacy"].values = {{"clip", 0.5}, {"noise_multiplier", 0.8}, {"secure_aggregation", true}, {"sampling", "poisson"}};
  EXPECT_THAT(refusal(settings), HasSubstr("privacy.sampling: expected fixed_size with privacy.secure_aggregation"));
  settings.tables["privacy"].values = {{"clip", 0.001}, {"noise_multiplier", 0.8}, {"secure_aggregation", true}, {"bits", std::int64_t{8}}};
  EXPECT_THAT(refusal(settings), HasSubstr("privacy.bits: expected so many binary digits"));
}

TEST_F(PrivateRuns, AFailureTellsNoNumbers) {
  Settings settings = settings_of("fedavg");
  settings.tables["strategy"].values["client_lr"] = 1e30;  // the clients' losses overflow
  settings.tables["privacy"].values = {{"secure_aggregation", true}};
  testing::internal::CaptureStderr();
  const std::string error = refusal(settings);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("local training: expected finite losses"));
  EXPECT_THAT(error, HasSubstr("failed; privacy keeps the reason on the client's standard error"));
  EXPECT_THAT(error, testing::Not(HasSubstr("finite")));
}

}  // namespace
}  // namespace paretofl
