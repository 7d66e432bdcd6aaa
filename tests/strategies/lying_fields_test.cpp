// Clients that lie in what a message holds beside its update: they are left out of the round and named, and end no run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"
#include "tests/strategies/lying_clients.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

const Quadratics& told_about() {
  static const Quadratics kProblem({.clients = 6, .objectives = 2, .heterogeneity = 0.2, .gradient_noise = 0.05}, 5);
  return kProblem;
}

Strategy of_six(const std::string& name, Values values = {}) {
  values.insert({{"cohort_size", std::int64_t{6}}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.1}});
  return strategy_named(name, told_about(), std::move(values));
}

/// The last of two rounds in which the first client lies.
RoundReport round_with_a_liar(const std::string& name, Values values, const Lie& lie) {
  Simulation simulation(with_liars(of_six(name, std::move(values)), 1, lie), told_about());
  simulation.run(1, 2);
  return simulation.reports.back();
}

void expect_named(const RoundReport& report, const std::string& fault) {
  EXPECT_FALSE(report.abandoned) << report.abandoned.value_or("");
  ASSERT_TRUE(report.metrics.values().contains(fault)) << fault;
  EXPECT_EQ(std::get<std::vector<double>>(report.metrics.values().at(fault)), std::vector<double>{0});
}

Array doubles(const std::vector<double>& values) { return Array(std::span<const double>(values)); }

TEST(LyingFields, FiguresOfTrainingOnObjectives) {
  const double nan = std::nan("");
  const std::vector<std::pair<Lie, std::string>> lies{{[](Reply& reply) { reply.extra = {}; }, "excluded_malformed"},
                                                      {[](Reply& reply) { reply.extra.arrays.erase("lambda"); }, "excluded_malformed"},
                                                      {[](Reply& reply) {
                                                         reply.extra.arrays["lambda"] = doubles({0.2, 0.3, 0.5});
                                                       },
                                                       "excluded_malformed"},
                                                      {[](Reply& reply) {
                                                         reply.extra.arrays["gradient_norm"] = Array(std::vector<float>{1, 1});
                                                       },
                                                       "excluded_malformed"},
                                                      {[&](Reply& reply) {
                                                         reply.extra.arrays["lambda"] = doubles({nan, 1});
                                                       },
                                                       "excluded_not_finite"}};
  for (const std::string strategy : {"firm", "tfirm", "fedcmoo_a"}) {
    for (std::size_t i = 0; i < lies.size(); ++i) {
      const auto& [lie, fault] = lies[i];
      const auto after_jacobian = [&lie = lie](Reply& reply) {
        if (reply.extra.arrays.contains("lambda")) lie(reply);
      };
      const RoundReport report = round_with_a_liar(strategy, {}, after_jacobian);
      SCOPED_TRACE(strategy + ' ' + std::to_string(i));
      expect_named(report, fault);
      EXPECT_EQ(std::get<std::vector<double>>(report.metrics.values().at("cohort")), (std::vector<double>{1, 2, 3, 4, 5}));
    }
    // What one client says beyond the others is not heard.
    const auto more = [](Reply& reply) {
      if (!reply.losses.empty() && !reply.extra.empty()) reply.extra.arrays["a\xff"] = doubles({1, 2, 3});
    };
    const RoundReport report = round_with_a_liar(strategy, {}, more);
    EXPECT_EQ(std::get<std::vector<double>>(report.metrics.values().at("cohort")).size(), 6U);
    EXPECT_FALSE(report.metrics.values().contains("a\xff"));
    EXPECT_FALSE(report.metrics.values().contains("client_a\xff"));
  }
}

TEST(LyingFields, AnExcludedClientDoesNotCount) {
  const auto lie = [](Reply& reply) {
    for (float& x : reply.update) x *= -50;
    reply.extra = {};
  };
  Simulation lied(with_liars(of_six("firm"), 1, lie), told_about());
  const auto silent = [](Reply& reply) { reply.error = "gone"; };
  Simulation without(with_liars(of_six("firm"), 1, silent), told_about());
  EXPECT_EQ(lied.run(1, 3), without.run(1, 3));
}

TEST(LyingFields, TheDriftOfFirm) {
  const auto no_lambda = [](Reply& reply) { reply.extra.arrays.erase("first_lambda"); };
  const auto wrong_lambda = [](Reply& reply) {
    if (reply.extra.arrays.contains("first_lambda")) reply.extra.arrays["first_lambda"] = doubles({1});
  };
  const auto long_deviation = [](Reply& reply) {
    if (reply.losses.empty()) reply.update.push_back(0);
  };
  const auto spoiled_deviation = [](Reply& reply) {
    if (reply.losses.empty()) reply.update.front() = std::nanf("");
  };
  const Values drift{{"measure_drift", true}};
  RoundReport report = round_with_a_liar("firm", drift, no_lambda);
  expect_named(report, "excluded_malformed");
  EXPECT_TRUE(report.metrics.values().contains("disagreement_drift"));  // that of the others
  expect_named(round_with_a_liar("firm", drift, wrong_lambda), "excluded_malformed");
  report = round_with_a_liar("firm", drift, long_deviation);
  expect_named(report, "excluded_wrong_size");
  EXPECT_FALSE(report.metrics.values().contains("disagreement_drift"));
  expect_named(round_with_a_liar("firm", drift, spoiled_deviation), "excluded_not_finite");
  EXPECT_TRUE(round_with_a_liar("firm", drift, [](Reply&) {}).metrics.values().contains("disagreement_drift"));
}

TEST(LyingFields, TheErrorOfTheGramian) {
  const auto of_jacobian = [](const std::function<void(Array&)>& change) {
    return [change](Reply& reply) {
      const auto found = reply.extra.arrays.find("jacobian");
      if (found != reply.extra.arrays.end()) change(found->second);
    };
  };
  const Values measured{{"measure_nrmse", true}, {"compressor", std::string("randomized_svd")}};
  RoundReport report = round_with_a_liar("fedcmoo", measured, of_jacobian([](Array& array) { array = Array(); }));
  expect_named(report, "excluded_malformed");
  EXPECT_FALSE(report.metrics.values().contains("gramian_nrmse"));
  report = round_with_a_liar("fedcmoo", measured, of_jacobian([](Array& array) {
                               std::vector<float> rows(array.floats().begin(), array.floats().end());
                               rows.back() = std::numeric_limits<float>::infinity();
                               array = Array(rows);
                             }));
  expect_named(report, "excluded_not_finite");
  EXPECT_TRUE(round_with_a_liar("fedcmoo", measured, [](Reply&) {}).metrics.values().contains("gramian_nrmse"));
}

TEST(LyingFields, TheProgressInTheLocalSteps) {
  const auto of_progress = [](const std::function<void(Array&)>& change) {
    return [change](Reply& reply) {
      const auto found = reply.extra.arrays.find("separate");
      if (found != reply.extra.arrays.end()) change(found->second);
    };
  };
  const Values measured{{"measure_local_progress", true}};
  RoundReport report = round_with_a_liar("fedcmoo", measured, of_progress([](Array& array) { array = Array(); }));
  expect_named(report, "excluded_malformed");
  EXPECT_TRUE(report.metrics.values().contains("local_progress")) << "that of the others";
  report = round_with_a_liar("fedcmoo", measured, of_progress([](Array& array) {
                               array = Array(std::vector<double>(array.doubles().size(), std::numeric_limits<double>::infinity()));
                             }));
  for (const double progress : std::get<std::vector<double>>(report.metrics.values().at("separate_local_progress"))) {
    EXPECT_TRUE(std::isfinite(progress)) << "steps that diverged are left out";
  }
  EXPECT_FALSE(report.metrics.values().contains("excluded_not_finite"));
}

TEST(LyingFields, WhatFedMoaAsks) {
  const double nan = std::nan("");
  const auto weights_of = [](std::map<std::string, double, std::less<>> weights) {
    return [weights](Reply& reply) { reply.extra.records["weights"].scalars = weights; };
  };
  const std::vector<Lie> lies{[](Reply& reply) { reply.extra = {}; },
                              [](Reply& reply) { reply.extra.texts.erase("cluster"); },
                              [](Reply& reply) { reply.extra.texts["accuracy"] = "none of the rewards"; },
                              weights_of({}),
                              weights_of({{"objective0", nan}, {"objective1", 1}}),
                              weights_of({{"objective0", -0.5}, {"objective1", 1.5}}),
                              weights_of({{"objective0", 1e308}, {"objective1", 1e308}}),
                              weights_of({{"objective0", 0.5}, {"objective1", 0.25}, {"another", 0.25}}),
                              [](Reply& reply) { reply.extra.records.erase("reward"); },
                              [](Reply& reply) { reply.extra.records["reward"].scalars["a\xff"] = 1; },
                              [&](Reply& reply) { reply.extra.records["reward"].scalars.begin()->second = nan; },
                              [](Reply& reply) { reply.extra.records.erase("hypergradient"); },
                              [&](Reply& reply) { reply.extra.records["hypergradient"].scalars.begin()->second = -nan; },
                              [&](Reply& reply) { reply.extra.scalars["loss"] = nan; },
                              [](Reply& reply) { reply.extra.records["local_reward"].scalars["another"] = 1; }};
  for (std::size_t i = 0; i < lies.size(); ++i) {
    SCOPED_TRACE(i);
    const RoundReport report = round_with_a_liar("fedmoa", {{"adaptive_weights", true}}, lies[i]);
    expect_named(report, "excluded_malformed");
    EXPECT_EQ(std::get<std::vector<double>>(report.metrics.values().at("cohort")).size(), 5U);
  }
  const auto more = [](Reply& reply) { reply.extra.scalars = {{"loss", 1}, {"train_loss", 1}, {"a\xff", 1}}; };
  const RoundReport report = round_with_a_liar("fedmoa", {}, more);
  EXPECT_EQ(std::get<std::vector<double>>(report.metrics.values().at("cohort")).size(), 6U);
  EXPECT_FALSE(report.metrics.values().contains("a\xff"));
  EXPECT_EQ(std::get<std::vector<double>>(report.metrics.values().at("train_loss")).size(), 2U);
}

TEST(LyingFields, ModelsOfPersonalizedClients) {
  const std::vector<std::pair<Lie, std::string>> lies{{[](Reply& reply) { reply.update.clear(); }, "excluded_wrong_size"},
                                                      {[](Reply& reply) { reply.losses.push_back(1); }, "excluded_wrong_size"},
                                                      {[](Reply& reply) { reply.losses.front() = std::nan(""); }, "excluded_not_finite"},
                                                      {[](Reply& reply) { reply.num_samples = 0; }, "excluded_sample_count"},
                                                      {[](Reply& reply) { reply.num_samples = 1e-300; }, "excluded_sample_count"},
                                                      {[](Reply& reply) { reply.num_samples = 1e308; }, "excluded_sample_count"}};
  for (const std::string strategy : {"fedavg", "fedpref", "cfl", "matfl", "no_communication"}) {
    for (const auto& [lie, fault] : lies) {
      SCOPED_TRACE(strategy + ' ' + fault);
      Values values{{"local_steps", std::int64_t{2}}, {"client_lr", 0.1}};
      if (strategy == "fedavg") values.insert({{"cohort_size", std::int64_t{6}}, {"private_preferences", true}});
      Simulation simulation(with_liars(strategy_named(strategy, told_about(), values), 1, lie), told_about());
      simulation.run(1, 2);
      expect_named(simulation.reports.back(), fault);
      EXPECT_TRUE(simulation.reports.back().metrics.values().contains("train_loss"));
    }
  }
}

}  // namespace
}  // namespace paretofl
