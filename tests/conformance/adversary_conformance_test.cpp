// Every way to lie, against every strategy: what cannot be used is left out and named, and ends no run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/adversaries/hostile_clients.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

const Quadratics& lied_about_by_some() {
  static const Quadratics kProblem({.clients = 8, .objectives = 3, .heterogeneity = 0.2, .gradient_noise = 0.05}, 7);
  return kProblem;
}

/// A strategy with all 8 clients in each round, and all that its clients may be asked for.
Strategy wary_strategy(const std::string& name, const Workload& workload, const std::string& aggregator = "mean") {
  OptionLister options;
  strategies().entry(name).describe(options);
  Settings settings;
  for (const auto& [key, value] : std::map<std::string, Settings::Value>{{"cohort_size", std::int64_t{8}},
                                                                         {"local_steps", std::int64_t{2}},
                                                                         {"client_lr", 0.05},
                                                                         {"aggregator", aggregator},
                                                                         {"measure_nrmse", true},
                                                                         {"measure_local_progress", true},
                                                                         {"measure_drift", true}}) {
    const auto is_it = [&wanted = key](const OptionDoc& doc) { return doc.key == wanted; };
    const bool known = std::any_of(options.docs().begin(), options.docs().end(), is_it);
    if (known) settings.values.emplace(key, value);
  }
  return strategies().at(name).make(settings, workload);
}

Adversary quarter_of_clients(const std::string& name) {
  Settings settings;
  if (name != "none") settings.values.emplace("share", 0.25);
  return make_adversary({name, settings});
}

std::set<int> named_in(const Metrics& metrics) {
  std::set<int> clients;
  for (const auto& [name, value] : metrics.values()) {
    if (!name.starts_with("excluded_")) continue;
    for (const double client : std::get<std::vector<double>>(value)) clients.insert(static_cast<int>(client));
  }
  return clients;
}

class AdversaryConformance : public testing::TestWithParam<std::tuple<const RegistryEntry*, const RegistryEntry*>> {};

TEST_P(AdversaryConformance, EndsNoRunAndIsNamedWhereItCannotBeUsed) {
  const auto& [adversary, strategy] = GetParam();
  const HostileClients hostile(quarter_of_clients(adversary->name), 3, lied_about_by_some());
  for (const std::string aggregator : {"mean", "coordinate_median"}) {
    Strategy honest = wary_strategy(strategy->name, hostile.workload(), aggregator);
    Simulation simulation({.server = std::move(honest.server), .client = hostile.among(std::move(honest.client))}, lied_about_by_some(),
                          {.runtime = {.threads = 1, .through_wire = true}});
    simulation.run(1, 2);
    for (const RoundReport& report : simulation.reports) {
      EXPECT_FALSE(report.abandoned) << report.abandoned.value_or("");
      EXPECT_TRUE(report.failures.empty());
      const std::set<int> excluded = named_in(report.metrics);
      if (adversary->name == "not_finite" || adversary->name == "oversized") {
        EXPECT_EQ(excluded, hostile.clients());
      } else if (adversary->name == "malformed") {
        const std::set<std::string> with_fields{"fedcmoo", "fedcmoo_pref", "fedcmoo_theory", "firm",  "fedcmoo_a", "tfirm",  "fedmoa",
                                                "fedgrpo", "afl",          "qffl",           "fedfv", "fedexp",    "fedmdfg"};
        EXPECT_EQ(excluded, with_fields.contains(strategy->name) ? hostile.clients() : std::set<int>{});
      } else {
        EXPECT_TRUE(excluded.empty());
      }
    }
  }
}

/// The parameters, or where each client has its own model all of them, after some rounds.
std::vector<float> after_rounds(const std::string& strategy, const std::string& adversary) {
  const HostileClients hostile(quarter_of_clients(adversary), 3, lied_about_by_some());
  Strategy honest = wary_strategy(strategy, hostile.workload());
  Simulation simulation({.server = std::move(honest.server), .client = hostile.among(std::move(honest.client))}, lied_about_by_some());
  const std::vector<float> global = simulation.run(1, 2);
  const ClientModels* models = simulation.server.client_models();
  return models == nullptr ? global : std::vector<float>(models->values().begin(), models->values().end());
}

TEST_P(AdversaryConformance, ChangesTheResult) {
  const auto& [adversary, strategy] = GetParam();
  if (adversary->name == "malformed") return;  // which some strategies' messages have nothing of
  EXPECT_EQ(after_rounds(strategy->name, adversary->name) == after_rounds(strategy->name, "none"), adversary->name == "none");
}

INSTANTIATE_TEST_SUITE_P(All, AdversaryConformance,
                         testing::Combine(testing::ValuesIn(adversaries().entries()), testing::ValuesIn(strategies().entries())),
                         [](const auto& info) { return std::get<0>(info.param)->name + "_" + std::get<1>(info.param)->name; });

}  // namespace
}  // namespace paretofl
