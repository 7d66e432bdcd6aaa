// A fifth of the clients lie: what the mean makes of it, and what each other aggregator does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/aggregators/aggregator.h"
#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"
#include "tests/strategies/lying_clients.h"

namespace paretofl {
namespace {

constexpr int kLiars = 2;

const Quadratics& lied_about() {
  static const Quadratics kProblem({.clients = 10, .objectives = 2, .condition = 3, .heterogeneity = 0.2, .gradient_noise = 0.05}, 5);
  return kProblem;
}

Strategy robust_strategy(const std::string& name, const std::string& aggregator, std::map<std::string, Settings::Value> values = {}) {
  Settings settings;
  settings.values = {{"cohort_size", std::int64_t{10}}};
  const bool theory = name == "fedcmoo_theory";
  if (theory) {
    settings.values.insert({{"horizon", std::int64_t{60}}, {"smoothness", 0.3}});
  } else {
    settings.values.insert({{"local_steps", std::int64_t{2}}, {"client_lr", 0.1}});
  }
  if (!theory && name != "fedavg" && name != "tfirm") settings.values.emplace("server_lr", 1.0);
  if (name == "fedcmoo") settings.tables["compressor"].values = {{"name", std::string("exact")}};
  if (theory) settings.tables["compressor"].values = {{"name", std::string("exact")}};
  settings.tables["aggregator"].values = {{"name", aggregator}};
  if (aggregator == "multi_krum") settings.tables["aggregator"].values.emplace("bad_clients", std::int64_t{kLiars});
  for (auto& [key, value] : values) settings.values.insert_or_assign(key, value);
  return strategies().at(name).make(settings, lied_about());
}

/// The sum of the objectives' losses, over that at the start, after some rounds; infinite where the run ends with an error.
double progress(Strategy strategy, int rounds = 60) {
  const auto total = [](std::span<const float> theta) {
    ThreadPool pool(1);
    double sum = 0;
    const Evaluation evaluation = lied_about().evaluate(theta, Split::kTest, pool);
    for (const double loss : evaluation.per_objective.at("loss")) sum += loss;
    return sum;
  };
  Simulation simulation(std::move(strategy), lied_about());
  try {
    const std::vector<float> theta = simulation.run(1, static_cast<std::uint32_t>(rounds));
    return total(theta) / total(lied_about().initial_parameters().values());
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

class RobustStrategies : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Each, RobustStrategies,
                         testing::Values("fedavg", "fsmgda", "fedcmoo", "fedcmoo_theory", "fedcmoo_a", "firm", "tfirm"),
                         [](const auto& info) { return info.param; });

TEST_P(RobustStrategies, LiarsRuinTheMeanAndNoOtherAggregator) {
  const double honest = progress(robust_strategy(GetParam(), "mean"));
  ASSERT_LT(honest, 0.6);
  EXPECT_GT(progress(with_liars(robust_strategy(GetParam(), "mean"), kLiars, flip_and_scale)), 10);
  for (const RegistryEntry* entry : aggregators().entries()) {
    if (entry->name == "mean") continue;
    const double found = progress(with_liars(robust_strategy(GetParam(), entry->name), kLiars, flip_and_scale));
    EXPECT_LT(found, honest + 0.15) << entry->name;
  }
}

TEST_P(RobustStrategies, AnswersThatCannotBeUsedAreExcludedAndNamed) {
  const auto spoil_last = [](Reply& reply) {
    if (!reply.update.empty()) reply.update.back() = std::nanf("");
  };
  const auto too_large = [](Reply& reply) {
    if (!reply.update.empty()) reply.update.resize(reply.update.size() + 1000);
  };
  const auto unreadable = [](Reply& reply) {
    if (!reply.update.empty()) return;
    reply.extra = {};
  };
  const auto too_many = [](Reply& reply) { reply.num_samples = 1e9; };
  for (const std::string aggregator : {"mean", "coordinate_median"}) {
    for (const auto& [lie, name] : std::vector<std::pair<Lie, std::string>>{{spoil_last, "excluded_not_finite"},
                                                                            {too_large, "excluded_wrong_size"},
                                                                            {unreadable, "excluded_malformed"},
                                                                            {too_many, "excluded_sample_count"}}) {
      const bool sketches = GetParam() == "fedcmoo" || GetParam() == "fedcmoo_theory";
      if (name == "excluded_malformed" && !sketches) continue;
      Simulation simulation(with_liars(robust_strategy(GetParam(), aggregator, {{"max_samples", 1e6}}), 1, lie), lied_about());
      simulation.run(1, 2);
      for (const RoundReport& report : simulation.reports) {
        EXPECT_FALSE(report.abandoned);
        const auto found = report.metrics.values().find(name);
        if (GetParam() == "fedcmoo_theory" && name == "excluded_malformed") {  // a jacobian that cannot be rebuilt has no numbers
          EXPECT_TRUE(report.metrics.values().contains("excluded_wrong_size"));
          continue;
        }
        ASSERT_NE(found, report.metrics.values().end()) << aggregator << ' ' << name;
        EXPECT_EQ(std::get<std::vector<double>>(found->second), std::vector<double>{0});
      }
    }
  }
}

TEST_P(RobustStrategies, ARoundWithoutAnyUsableAnswerEndsTheRun) {
  const auto spoil = [](Reply& reply) {
    reply.update.assign(reply.update.size(), std::nanf(""));
    reply.losses.assign(reply.losses.size(), std::nan(""));
    reply.extra = {};
  };
  Simulation simulation(with_liars(robust_strategy(GetParam(), "mean"), 10, spoil), lied_about());
  EXPECT_THAT([&] { simulation.run(1, 1); }, testing::ThrowsMessage<Error>(testing::HasSubstr("expected an answer with finite numbers")));
}

TEST(RobustAggregation, OneObjectiveThatIsPoisonedIsHealed) {
  const auto poison = [](Reply& reply) {
    for (std::size_t j = 0; j < reply.update.size() / 2; ++j) reply.update[j] *= -100;
  };
  // The mean's weights avoid the poisoned objective, which then is not trained.
  const double poisoned = progress(with_liars(robust_strategy("fsmgda", "mean"), kLiars, poison));
  for (const char* name : {"coordinate_median", "trimmed_mean", "geometric_median", "multi_krum", "norm_clipping"}) {
    EXPECT_LT(progress(with_liars(robust_strategy("fsmgda", name), kLiars, poison)), 0.5 * poisoned) << name;
  }
}

TEST(RobustAggregation, TwoWaySketchesAndOwnGramiansLearnWithLiars) {
  for (const std::string compressor : {"randomized_svd", "client_grams", "random_mask"}) {
    for (const std::string exchanges : {"all", "one"}) {
      Settings settings;
      settings.values = {{"cohort_size", std::int64_t{10}},
                         {"local_steps", std::int64_t{2}},
                         {"client_lr", 0.1},
                         {"server_lr", 1.0},
                         {"compressor", compressor},
                         {"aggregator", std::string("coordinate_median")},
                         {"exchanges", exchanges}};
      Strategy strategy = strategies().at("fedcmoo").make(settings, lied_about());
      EXPECT_LT(progress(with_liars(std::move(strategy), kLiars, flip_and_scale)), 0.6) << compressor << ' ' << exchanges;
    }
  }
}

TEST(RobustAggregation, TooFewClientsAreRefusedOrAbandonTheRound) {
  EXPECT_THAT(
      [] {
        robust_strategy("fedavg", "multi_krum", {{"cohort_size", std::int64_t{6}}});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("expected a cohort of at least 7 clients")));
  const auto vanish = [](Reply& reply) { reply.update.clear(); };
  Simulation simulation(with_liars(robust_strategy("fedavg", "multi_krum"), 4, vanish), lied_about());
  simulation.run(1, 1);
  EXPECT_THAT(simulation.reports[0].abandoned.value_or(""), testing::HasSubstr("expected at least 7 usable answers, found 6"));
}

}  // namespace
}  // namespace paretofl
