// Every registered strategy under secure aggregation: those that need sums over the cohort alone compute what they compute without it, and
// the others refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/trained_model.h"
#include "paretofl/strategies/strategy.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

class SecureAggregation : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  void SetUp() override { std::filesystem::remove_all(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }

  /// Settings of a small run; the workload is one that the strategy can train on.
  static Settings settings_of(const std::string& strategy) {
    Settings settings;
    settings.values = {{"seed", std::int64_t{4}}, {"rounds", std::int64_t{3}}};
    settings.tables["evaluation"].values = {{"every", std::int64_t{1}}};
    settings.tables["workload"].values = {
        {"name", "quadratics"}, {"clients", std::int64_t{6}}, {"objectives", std::int64_t{3}}, {"dimension", std::int64_t{20}}};
    auto& own = settings.tables["strategy"];
    own.values = {{"name", strategy}, {"local_steps", std::int64_t{4}}, {"client_lr", 0.05}};
    const bool all = strategy == "no_communication" || strategy == "cfl" || strategy == "matfl" || strategy == "fedpref";
    if (!all) own.values["cohort_size"] = std::int64_t{5};
    if (strategy == "fedcmoo" || strategy == "fedcmoo_pref" || strategy == "fedcmoo_theory") own.values["compressor"] = "exact";
    if (strategy == "single_objective") own.values["objective"] = std::int64_t{1};
    return settings;
  }

  RunOutcome run_with(Settings settings, const std::string& name, bool secure, std::vector<std::string> overrides = {}) const {
    if (secure) settings.tables["privacy"].values["secure_aggregation"] = true;
    RunRequest request;
    request.directory = root_ / name;
    request.settings = std::move(settings);
    request.overrides = std::move(overrides);
    request.shows_progress = false;
    return run(request);
  }
  std::vector<float> theta(const std::string& name) const {
    const TrainedModel model = TrainedModel::load(root_ / name);
    return {model.theta().begin(), model.theta().end()};
  }
  nlohmann::json last_row(const std::string& name) const {
    std::ifstream file(root_ / name / "metrics.jsonl");
    nlohmann::json row;
    for (std::string line; std::getline(file, line);) row = nlohmann::json::parse(line);
    return row;
  }

  /// Each of the processes that share these tests has its own.
  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) / ("secure_aggregation_" + std::to_string(::getpid()));
};

bool known_to_work_on_sums(const std::string& strategy) {
  const std::set<std::string> names{"fedavg", "fedprox", "single_objective", "fsmgda", "fedcmoo", "fedcmoo_pref",
                                    "firm",   "tfirm",   "fedcmoo_a"};
  return names.contains(strategy);
}

TEST_P(SecureAggregation, IsThePlainRunWithinTheRounding) {
  const std::string& strategy = GetParam()->name;
  const Settings settings = settings_of(strategy);
  if (!known_to_work_on_sums(strategy)) {
    try {
      run_with(settings, "secure", true);
      FAIL() << "expected an error";
    } catch (const Error& error) {
      // Others may not know these settings, or not this workload.
      const std::set<std::string> settled{"fedcmoo_theory", "fedpref", "cfl", "matfl", "no_communication"};
      if (settled.contains(strategy)) {
        EXPECT_THAT(error.what(), HasSubstr("expected a strategy whose server needs sums over the cohort alone"));
      }
    }
    EXPECT_FALSE(std::filesystem::exists(root_ / "secure"));
    return;
  }
  run_with(settings, "plain", false);
  run_with(settings, "secure", true);
  run_with(settings, "threads", true, {"runtime.threads=2", "runtime.through_wire=true"});
  const std::vector<float> plain = theta("plain");
  const std::vector<float> secure = theta("secure");
  EXPECT_EQ(theta("threads"), secure);
  ASSERT_EQ(secure.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(secure[i], plain[i], 1e-5 + 1e-5 * std::abs(plain[i])) << i;
  const nlohmann::json plain_row = last_row("plain");
  const nlohmann::json secure_row = last_row("secure");
  for (const auto& [objective, loss] : plain_row["train"]["loss"].items()) {
    EXPECT_NEAR(secure_row["train"]["loss"][objective].get<double>(), loss.get<double>(), 1e-5 * (1 + std::abs(loss.get<double>())));
  }
}

TEST_P(SecureAggregation, GoesOnAfterACheckpoint) {
  const std::string& strategy = GetParam()->name;
  if (!known_to_work_on_sums(strategy)) return;  // Refused, as the test above shows.
  run_with(settings_of(strategy), "whole", true);
  RunRequest request;
  request.directory = root_ / "part";
  request.settings = settings_of(strategy);
  request.settings->tables["privacy"].values["secure_aggregation"] = true;
  request.overrides = {"checkpoint.every=1"};
  request.shows_progress = false;
  request.after_round = [](const nlohmann::ordered_json&) { return false; };
  EXPECT_TRUE(run(request).stopped);
  RunRequest further;
  further.directory = root_ / "part";
  further.resume = true;
  further.shows_progress = false;
  run(further);
  EXPECT_EQ(theta("part"), theta("whole"));
}

INSTANTIATE_TEST_SUITE_P(Strategies, SecureAggregation, testing::ValuesIn(strategies().entries()),
                         [](const auto& info) { return info.param->name; });

class SecureSketches : public SecureAggregation {};

/// One objective's loss at the end.
double summed_loss(const nlohmann::json& row) {
  double sum = 0;
  for (const auto& [objective, loss] : row["test"]["loss"].items()) sum += loss.get<double>();
  return sum;
}

TEST_F(SecureSketches, LinearOnesTrainAndOthersAreRefused) {
  Settings settings = settings_of("fedcmoo");
  settings.values["rounds"] = std::int64_t{20};
  run_with(settings, "exact", true);
  const double exact = summed_loss(last_row("exact"));
  for (const std::string compressor : {"random_projection", "random_mask"}) {
    for (const bool two_way : {false, true}) {
      Settings other = settings;
      other.tables["strategy"].values.erase("compressor");
      other.tables["strategy"].tables["compressor"].values = {{"name", compressor}, {"two_way", two_way}, {"budget", 2.0}};
      const std::string name = compressor + (two_way ? "_two" : "_one");
      run_with(other, name, true);
      EXPECT_LT(summed_loss(last_row(name)), 1.5 * exact + 0.1) << name;
    }
  }
  for (const std::string compressor : {"randomized_svd", "top_k", "quantizer"}) {
    Settings other = settings;
    other.tables["strategy"].values["compressor"] = compressor;
    EXPECT_THROW(run_with(other, compressor, true), Error) << compressor;
  }
}

TEST_F(SecureSketches, ClientsGramiansAreThePlainOnes) {
  Settings settings = settings_of("fedcmoo");
  settings.tables["strategy"].values["compressor"] = "client_grams";
  run_with(settings, "plain", false);
  run_with(settings, "secure", true);
  const std::vector<float> plain = theta("plain");
  const std::vector<float> secure = theta("secure");
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(secure[i], plain[i], 1e-5 + 1e-5 * std::abs(plain[i]));
}

TEST_F(SecureSketches, WhatTellsOfOneClientIsRefused) {
  const auto refused = [&](const std::string& override) {
    try {
      run_with(settings_of("firm"), "refused", true, {override});
      ADD_FAILURE() << "expected an error for " << override;
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(refused("strategy.measure_drift=true"), HasSubstr("with options under which it needs single replies"));
  EXPECT_THAT(refused("evaluation.federated=true"), HasSubstr("evaluation.federated: expected false with privacy.secure_aggregation"));
  EXPECT_THAT(refused("privacy.threshold=0.5"), HasSubstr("privacy.threshold: expected more than 0.5"));
  EXPECT_THAT(refused("privacy.neighbours=7"), HasSubstr("privacy.neighbours: expected an even number"));
}

}  // namespace
}  // namespace paretofl
