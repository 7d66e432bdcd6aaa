// Every registered strategy under secure aggregation: those that need sums over the cohort alone compute what they compute without it, and
// the others refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/rounds/strategy.h"
#include "tests/conformance/runs_on_sums.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

class SecureAggregation : public RunsOnSums, public testing::WithParamInterface<const RegistryEntry*> {
 protected:
  RunOutcome run_with(Settings settings, const std::string& name, bool secure, std::vector<std::string> overrides = {}) const {
    if (secure) settings.tables["privacy"].values["secure_aggregation"] = true;
    return run_in(name, std::move(settings), std::move(overrides));
  }
};

TEST_P(SecureAggregation, IsThePlainRunWithinTheRounding) {
  const std::string& strategy = GetParam()->name;
  const Settings settings = settings_of(strategy);
  if (!known_to_work_on_sums(strategy)) {
    try {
      run_with(settings, "secure", true);
      FAIL() << "expected an error";
    } catch (const Error& error) {
      // Others may not know these settings, or not this workload.
      const std::set<std::string> settled{"fedcmoo_theory", "fedpref", "cfl",   "matfl",   "no_communication",
                                          "fedmgda_plus",   "afl",     "fedfv", "fedmdfg", "ditto"};
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
  Settings settings = settings_of(strategy);
  settings.tables["privacy"].values["secure_aggregation"] = true;
  run_in_two_parts("part", settings);
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

/// GRPO in a federation: alpha's numerators and denominators are sums as well. Clients have different rewards.
TEST_F(SecureSketches, TasksAndAccuracyWeightsAreSums) {
  for (const std::string strategy : {"fedmoa", "fedgrpo"}) {
    Settings settings;
    settings.values = {{"seed", std::int64_t{4}}, {"rounds", std::int64_t{2}}};
    settings.tables["workload"].values = {{"name", std::string("arithmetic")},
                                          {"clients", std::int64_t{6}},
                                          {"groups", std::string("sums:accuracy+format+tag_count,expressions:accuracy+format")}};
    settings.tables["workload"].tables["grpo"].values = {{"max_new_tokens", std::int64_t{4}}};
    settings.tables["strategy"].values = {
        {"name", strategy}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.01}, {"cohort_size", std::int64_t{6}}};
    if (strategy == "fedmoa") settings.tables["strategy"].values["hypergradient_rate"] = 0.2;
    run_with(settings, strategy + "_plain", false);
    run_with(settings, strategy + "_secure", true);
    const std::vector<float> plain = theta(strategy + "_plain");
    const std::vector<float> secure = theta(strategy + "_secure");
    double moved = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_NEAR(secure[i], plain[i], 1e-5) << strategy << " " << i;
      moved = std::max(moved, std::abs(double{plain[i]}));
    }
    EXPECT_GT(moved, 0);
    const auto lambda = last_row(strategy + "_plain")["lambda"];
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      EXPECT_NEAR(last_row(strategy + "_secure")["lambda"][k].get<double>(), lambda[k].get<double>(), strategy == "fedgrpo" ? 0.2 : 1e-6);
    }
    run_with(settings, strategy + "_threads", true, {"runtime.threads=2", "runtime.through_wire=true"});
    EXPECT_EQ(theta(strategy + "_threads"), secure);
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
