// Every registered strategy with noise that hides single examples: what a client's gradients disclose is what the run states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "paretofl/core/error.h"
#include "paretofl/privacy/noise_search.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/conformance/runs_on_sums.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

constexpr double kRate = 0.15;
constexpr double kNoise = 0.9;

class CountingOracle : public GradientOracle {
 public:
  CountingOracle(std::unique_ptr<GradientOracle> inner, std::atomic<int>& calls) : inner_(std::move(inner)), calls_(calls) {}

  double num_samples() const override { return inner_->num_samples(); }
  std::size_t num_objectives() const override { return inner_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return inner_->layout(); }
  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    ++calls_;
    inner_->jacobian(theta, draw, losses, jacobian);
  }
  void weighted_gradient(std::span<const float> theta, std::span<const double> weights, const Draw& draw, std::span<double> losses,
                         std::span<float> gradient) const override {
    ++calls_;
    inner_->weighted_gradient(theta, weights, draw, losses, gradient);
  }
  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    ++calls_;
    return inner_->objective_gradient(theta, objective, draw, gradient);
  }

 private:
  std::unique_ptr<GradientOracle> inner_;
  std::atomic<int>& calls_;
};

/// Counts the gradients that each client takes, in whatever a strategy makes of its oracle.
class CountingGradients : public Quadratics {
 public:
  using Quadratics::Quadratics;
  std::unique_ptr<GradientOracle> oracle(int client) const override {
    return std::make_unique<CountingOracle>(Quadratics::oracle(client), calls_[client]);
  }
  int most() const {
    int most = 0;
    for (const auto& [client, calls] : calls_) most = std::max(most, calls.load());
    return most;
  }

 private:
  mutable std::map<int, std::atomic<int>> calls_;
};

class ExamplePrivacy : public RunsOnSums, public testing::WithParamInterface<const RegistryEntry*> {
 protected:
  Settings hidden(const std::string& strategy) const {
    Settings settings = settings_of(strategy);
    auto& own = settings.tables["strategy"].values;
    own["local_steps"] = std::int64_t{2};
    if (own.contains("cohort_size")) own["cohort_size"] = std::int64_t{3};
    keep_options(settings.tables["strategy"], *GetParam());
    settings.tables["workload"].values = {{"name", std::string("glyphs")},          {"clients", std::int64_t{4}},
                                          {"samples_per_client", std::int64_t{12}}, {"batch_size", std::int64_t{4}},
                                          {"train_images", std::int64_t{64}},       {"test_images", std::int64_t{16}}};
    settings.tables["privacy"].values = {{"example_clip", 1.0}, {"example_noise_multiplier", kNoise}, {"example_rate", kRate}};
    return settings;
  }
  std::string hash_of(const std::string& name) const { return summary(name)["parameters_sha256"]; }
  std::int64_t gradients_of(const std::string& strategy) const {
    const Settings settings = hidden(strategy).tables.at("strategy");
    Settings own = settings;
    own.values.erase("name");
    return strategies().at(strategy).make(own, *small_glyphs_for_all()).gradients_per_round;
  }
  static std::unique_ptr<Workload> small_glyphs_for_all() {
    GlyphsOptions options;
    options.images.clients = 4;
    options.images.samples_per_client = 12;
    options.images.batch_size = 4;
    options.train_images = 64;
    options.test_images = 16;
    return make_glyphs(options, 4);
  }
};

TEST_P(ExamplePrivacy, NoClientTakesMoreGradientsThanTheStrategySays) {
  const std::string& strategy = GetParam()->name;
  std::vector<std::map<std::string, Settings::Value>> variants{{}};
  if (strategy.starts_with("fedcmoo") && strategy != "fedcmoo_a" && strategy != "fedcmoo_theory") {
    variants.push_back({{"jacobian_minibatches", std::string("per_objective")}, {"reuse_gradients", false}});
    variants.push_back({{"jacobian_minibatches", std::string("shared")}, {"reuse_gradients", true}});
    variants.push_back({{"exchanges", std::string("one")}});
  }
  if (strategy == "fedavg" || strategy == "fedprox") variants.push_back({{"private_preferences", true}});
  for (const auto& variant : variants) {
    CountingGradients workload({.clients = 6, .objectives = 3, .dimension = 20}, 4);
    Settings settings = settings_of(strategy).tables["strategy"];
    settings.values.erase("name");
    keep_options(settings, *GetParam());
    for (const auto& [key, value] : variant) settings.values.insert_or_assign(key, value);
    Strategy made = strategies().at(strategy).make(settings, workload);
    const std::int64_t stated = made.gradients_per_round;
    if (stated == 0) continue;  // refused, as the next test shows
    Simulation simulation(std::move(made), workload);
    simulation.run(1, 1);
    ASSERT_FALSE(simulation.reports.front().abandoned);
    // Only where two of fedcmoo_theory's cohorts meet may a client take fewer.
    if (strategy == "fedcmoo_theory") {
      EXPECT_LE(workload.most(), stated);
      EXPECT_GE(workload.most(), stated - 6);
    } else {
      EXPECT_EQ(workload.most(), stated);
    }
  }
}

TEST_P(ExamplePrivacy, StatesWhatTheRunDisclosesWithTheSameBitsAnywhere) {
  const std::string& strategy = GetParam()->name;
  const Settings settings = hidden(strategy);
  if (gradients_of(strategy) == 0) {
    EXPECT_THROW(run_in("hidden", settings), Error);
    return;
  }
  run_in("hidden", settings);
  const nlohmann::json found = summary("hidden");
  EXPECT_EQ(found["privacy_unit"], "example");
  EXPECT_EQ(last_row("hidden")["metrics"]["epsilon"], found["epsilon"]);
  const auto after = [&](std::int64_t rounds) {
    return planned_epsilon("rdp", {.sampling = CohortSampling::poisson(kRate), .rounds = rounds * gradients_of(strategy)}, kNoise, 1e-5);
  };
  EXPECT_GE(found["epsilon"].get<double>(), after(2));  // of 4 clients, one at least was asked in two rounds of three
  EXPECT_LE(found["epsilon"].get<double>(), after(3) * (1 + 1e-9));

  run_in("threads", settings, {"runtime.threads=2", "runtime.through_wire=true"});
  EXPECT_EQ(hash_of("threads"), hash_of("hidden"));
  run_in_two_parts("parts", settings);
  EXPECT_EQ(hash_of("parts"), hash_of("hidden"));
  EXPECT_EQ(summary("parts")["epsilon"], found["epsilon"]);
  run_in("bare", settings, {"privacy.example_noise_multiplier=0"});
  EXPECT_NE(hash_of("bare"), hash_of("hidden"));
  EXPECT_FALSE(summary("bare").contains("epsilon"));
}

TEST_P(ExamplePrivacy, EndsBeforeTheBudgetIsExceeded) {
  const std::string& strategy = GetParam()->name;
  const std::int64_t gradients = gradients_of(strategy);
  if (gradients == 0) return;  // refused, as the test above shows
  const auto after = [&](std::int64_t rounds) {
    return planned_epsilon("rdp", {.sampling = CohortSampling::poisson(kRate), .rounds = rounds * gradients}, kNoise, 1e-5);
  };
  Settings settings = hidden(strategy);
  settings.values["rounds"] = std::int64_t{2};
  settings.tables["privacy"].values["budget"] = 0.5 * (after(1) + after(2));
  run_in("ended", settings);
  EXPECT_EQ(summary("ended")["rounds"], 1);
  EXPECT_EQ(summary("ended")["ended_by"], "privacy.budget");
  settings.tables["privacy"].values["budget"] = 0.9 * after(1);
  try {
    run_in("never", settings);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("privacy.budget: expected an epsilon of at least"));
  }
  EXPECT_FALSE(std::filesystem::exists(root_ / "never"));
}

INSTANTIATE_TEST_SUITE_P(Strategies, ExamplePrivacy, testing::ValuesIn(strategies().entries()),
                         [](const auto& info) { return info.param->name; });

class HiddenExamples : public RunsOnSums {};

TEST_F(HiddenExamples, WhatHasNoExamplesIsRefused) {
  const std::vector<std::string> options{"privacy.example_clip=1", "privacy.example_rate=0.5"};
  const auto refused = [&](const Settings& settings) -> std::string {
    try {
      run_in("refused", settings, options);
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      EXPECT_FALSE(std::filesystem::exists(root_ / "refused"));
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused(settings_of("fedavg")), HasSubstr("expected a workload whose gradients are means over the samples"));
  Settings agents = settings_of("fedpref");
  agents.tables["workload"].values = {{"name", std::string("deep_sea_treasure")}, {"clients", std::int64_t{2}}};
  EXPECT_THAT(refused(agents), HasSubstr("expected a workload with gradients of each objective"));
}

/// A run on a table of its own, whose rows are on the scale of a model's numbers. The first row of the second client is `odd`.
class HiddenRows : public RunsOnSums {
 protected:
  Settings of_table(const std::string& odd = "0.5,0.5,yes") {
    const auto data = root_ / "data";
    std::filesystem::create_directories(data);
    std::string rows;
    for (int i = 0; i < 30; ++i) rows += fmt::format("{},{},{}\n", i / 30.0, i % 7 / 7.0, i % 2 == 0 ? "yes" : "no");
    std::ofstream(data / "a.csv") << "x,y,z\n" << rows;
    std::ofstream(data / "b.csv") << "x,y,z\n" << odd << "\n" << rows;
    Settings settings = settings_of("fedavg");
    settings.tables["strategy"].values["cohort_size"] = std::int64_t{2};
    settings.tables["strategy"].values["client_weighting"] = std::string("uniform");
    settings.tables["data"].values = {{"root", data.string()}};
    settings.tables["workload"].values = {{"name", std::string("table")},
                                          {"targets", std::vector<std::string>{"y", "z"}},
                                          {"standardize", false},
                                          {"standardize_targets", false},
                                          {"losses", std::vector<std::string>{"squared", "logistic"}},
                                          {"test_fraction", 0.2}};
    settings.tables["privacy"].values = {{"example_clip", 1.0}, {"example_noise_multiplier", 1.0}, {"example_rate", 1.0}};
    return settings;
  }
};

TEST_F(HiddenRows, ARowThatIsNotFiniteIsNoEvent) {
  run_in("ordinary", of_table());
  EXPECT_FALSE(summary("ordinary").contains("constant_predictor"));
  run_in("odd", of_table("1e30,0.5,yes"));
  EXPECT_EQ(last_row("odd")["failures"], last_row("ordinary")["failures"]);
  EXPECT_EQ(summary("odd")["epsilon"], summary("ordinary")["epsilon"]);
}

TEST_F(HiddenRows, AModelThatTellsExactStatisticsIsRefused) {
  for (const char* key : {"standardize", "standardize_targets"}) {
    Settings settings = of_table();
    settings.tables["workload"].values[key] = true;
    try {
      run_in("refused", settings);
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr(fmt::format("privacy.example_noise_multiplier: expected a workload whose model tells no exact "
                                        "statistics of the clients' rows, which epsilon does not count, found workload.{} = true",
                                        key)));
    }
    settings.tables["privacy"].values.clear();
    run_in(key, settings);
    EXPECT_TRUE(summary(key).contains("constant_predictor"));
  }
}

}  // namespace
}  // namespace paretofl
