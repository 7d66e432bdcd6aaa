#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "paretofl/registry/option_lister.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/trained_model.h"

namespace paretofl {

/// Small runs of strategies, for what may keep single replies from their servers.
/// Leaves out the options that the strategy does not have.
inline void keep_options(Settings& own, const RegistryEntry& strategy) {
  OptionLister options;
  strategy.describe(options);
  std::erase_if(own.values, [&](const auto& value) {
    return value.first != "name" &&
           std::none_of(options.docs().begin(), options.docs().end(), [&](const OptionDoc& o) { return o.key == value.first; });
  });
}

class RunsOnSums : public testing::Test {
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
    keep_options(own, strategies().at(strategy));
    return settings;
  }

  RunOutcome run_in(const std::string& name, Settings settings, std::vector<std::string> overrides = {}) const {
    RunRequest request;
    request.directory = root_ / name;
    request.settings = std::move(settings);
    request.overrides = std::move(overrides);
    request.shows_progress = false;
    return run(request);
  }
  /// Stops after the first round, and goes on.
  void run_in_two_parts(const std::string& name, Settings settings) const {
    RunRequest request;
    request.directory = root_ / name;
    request.settings = std::move(settings);
    request.overrides = {"checkpoint.every=1"};
    request.shows_progress = false;
    request.after_round = [](const nlohmann::ordered_json&) { return false; };
    EXPECT_TRUE(run(request).stopped);
    RunRequest further;
    further.directory = root_ / name;
    further.resume = true;
    further.shows_progress = false;
    run(further);
  }
  std::vector<float> theta(const std::string& name) const {
    const TrainedModel model = TrainedModel::load(root_ / name);
    return {model.theta().begin(), model.theta().end()};
  }
  nlohmann::json summary(const std::string& name) const {
    std::ifstream file(root_ / name / "summary.json");
    return nlohmann::json::parse(file);
  }
  nlohmann::json last_row(const std::string& name) const {
    std::ifstream file(root_ / name / "metrics.jsonl");
    nlohmann::json row;
    for (std::string line; std::getline(file, line);) row = nlohmann::json::parse(line);
    return row;
  }

  /// Each of the processes that share these tests has its own.
  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) / ("runs_on_sums_" + std::to_string(::getpid()));
};

inline bool known_to_work_on_sums(const std::string& strategy) {
  static const std::set<std::string> kNames{"fedavg", "fedprox",  "single_objective", "fsmgda",          "fedcmoo", "fedcmoo_pref",
                                            "firm",   "tfirm",    "fedcmoo_a",        "fedmoa",          "fedgrpo", "qffl",
                                            "fedexp", "scaffold", "feddyn",           "pareto_manifold", "stimulus"};
  return kNames.contains(strategy);
}

inline bool known_to_work_on_noised_sums(const std::string& strategy) {
  static const std::set<std::string> kRefuseNoise{"fedmoa", "fedgrpo", "qffl", "fedexp", "scaffold", "feddyn", "stimulus"};
  return known_to_work_on_sums(strategy) && !kRefuseNoise.contains(strategy);
}

}  // namespace paretofl
