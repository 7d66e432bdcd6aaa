// What every registered strategy promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/registry/option_lister.h"
#include "paretofl/wire/message.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

const Workload& quadratics() {
  static const Quadratics kProblem({.clients = 8, .objectives = 3, .heterogeneity = 0.2, .gradient_noise = 0.05}, 7);
  return kProblem;
}

const Workload& glyphs() {
  static const auto kProblem = small_glyphs();
  return *kProblem;
}

bool has_option(const std::string& name, const std::string& key) {
  OptionLister options;
  strategies().entry(name).describe(options);
  return std::any_of(options.docs().begin(), options.docs().end(), [&](const OptionDoc& doc) { return doc.key == key; });
}

/// Whether the strategy draws a cohort; personalized ones train every client in every round.
bool draws_cohorts(const std::string& name) { return has_option(name, "cohort_size"); }

/// Whether an abandoned round stays in what the clients keep, as the strategies' headers say.
bool clients_remember(const std::string& name) {
  static const std::set<std::string> kNames{"firm", "tfirm", "fedmoa", "scaffold", "feddyn", "ditto"};
  return kNames.contains(name);
}

Strategy make(const std::string& name, const Workload& workload, Values settings = {}) {
  const Values usual{{"local_steps", std::int64_t{3}},
                     {"client_lr", 0.1},
                     {"optimizer", std::string("sgd")},
                     {"cohort_size", std::int64_t{4}},
                     {"restart_cohort_size", std::int64_t{4}}};
  for (const auto& [key, value] : usual) {
    if (has_option(name, key)) settings.emplace(key, value);
  }
  return strategy_named(name, workload, std::move(settings));
}

class StrategyConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  const std::string& name() const { return GetParam()->name; }
};

TEST_P(StrategyConformance, SameResultOnAnyThreadsAndThroughTheWire) {
  for (const Workload* workload : {&quadratics(), &glyphs()}) {
    const std::uint32_t rounds = workload == &quadratics() ? 10 : 2;
    const auto trained = [&](std::int64_t threads, bool through_wire) {
      Simulation simulation(make(name(), *workload), *workload, {.runtime = {.threads = threads, .through_wire = through_wire}});
      return simulation.run(1, rounds);
    };
    const std::vector<float> expected = trained(1, false);
    EXPECT_EQ(trained(2, false), expected);
    EXPECT_EQ(trained(3, true), expected);
  }
}

TEST_P(StrategyConformance, TheSeedDecides) {
  const auto trained = [&](std::uint64_t seed) { return Simulation(make(name(), quadratics()), quadratics(), {.seed = seed}).run(1, 3); };
  EXPECT_EQ(trained(5), trained(5));
  EXPECT_NE(trained(5), trained(6));
}

TEST_P(StrategyConformance, GoesOnFromASavedStateBitForBit) {
  const std::vector<float> expected = Simulation(make(name(), quadratics()), quadratics()).run(1, 9);
  Simulation first(make(name(), quadratics()), quadratics());
  first.run(1, 4);
  const std::vector<std::byte> bytes = encode(first.server.save());
  Simulation second(make(name(), quadratics()), quadratics());
  second.server.load(decode_state(bytes));
  EXPECT_EQ(second.run(5, 9), expected);
}

TEST_P(StrategyConformance, Learns) {
  Simulation simulation(make(name(), quadratics()), quadratics());
  const auto loss = [&] {
    const auto losses = quadratics().evaluate(simulation.server.global().values(), Split::kTest, simulation.pool).per_objective.at("loss");
    return *std::min_element(losses.begin(), losses.end());
  };
  const double start = loss();
  simulation.run(1, 40);
  EXPECT_LT(loss(), 0.5 * start);
}

TEST_P(StrategyConformance, ReportsLossesAndCounts) {
  Simulation simulation(make(name(), glyphs()), glyphs());
  simulation.run(1, 1);
  const RoundReport& report = simulation.reports[0];
  const auto& losses = std::get<std::vector<double>>(report.metrics.values().at("train_loss"));
  EXPECT_THAT(losses, testing::Each(testing::AllOf(testing::Gt(0), testing::Lt(10))));
  EXPECT_EQ(losses.size(), glyphs().num_objectives());
  const bool weighs = simulation.server.client_models() == nullptr && simulation.server.model_simplex() == nullptr;
  EXPECT_EQ(report.metrics.values().contains("lambda"), weighs);
  if (weighs) {
    const auto& lambda = std::get<std::vector<double>>(report.metrics.values().at("lambda"));
    EXPECT_NEAR(std::accumulate(lambda.begin(), lambda.end(), 0.0), 1, 1e-9);
  }
  const std::size_t model_bytes = 4 * glyphs().layout()->size();
  EXPECT_GE(report.bytes_up, 4 * model_bytes);
  EXPECT_GE(report.bytes_down, 4 * model_bytes);
  EXPECT_TRUE(report.failures.empty());
}

/// Fails every client in exchange number `failing` (from 0) of each round.
class FailingRuntime : public Runtime {
 public:
  FailingRuntime(Runtime& inner, int failing) : inner_(inner), failing_(failing) {}
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    const bool fail = exchanges_++ == failing_;
    return inner_.exchange(
        envelopes,
        [&](Reply& reply) {
          if (fail) reply.error = "gone";
          if (on_reply) on_reply(reply);
        },
        limits);
  }
  int exchanges() const { return exchanges_; }

 private:
  Runtime& inner_;
  int failing_;
  int exchanges_ = 0;
};

// Where clients remember, what they keep is what a round that went well leaves them.
TEST_P(StrategyConformance, AnAbandonedRoundLeavesNoTrace) {
  const auto attempt = [&](int failing, auto&& check) {
    Values settings;
    if (has_option(name(), "measure_drift")) settings.emplace("measure_drift", true);
    Strategy strategy = make(name(), quadratics(), std::move(settings));
    ThreadPool pool(1);
    const auto threads = make_threads_runtime({.threads = 1}, pool, strategy.client);
    FailingRuntime runtime(*threads, failing);
    Server server(std::move(strategy.server), runtime, {1, quadratics().num_clients(), 0.5}, quadratics().initial_parameters());
    const Record before = server.save();
    const RoundReport report = server.run_round(1);
    const int exchanges = runtime.exchanges();
    check(report, before, server.save());
    return exchanges;
  };
  Record completed;
  const int exchanges = attempt(-1, [&](const RoundReport& report, const Record&, const Record& after) {
    EXPECT_FALSE(report.abandoned);
    completed = after;
  });
  // Ditto's second exchange is a measurement, without which a round goes on.
  const int needed = name() == "ditto" ? exchanges - 1 : exchanges;
  for (int failing = needed; failing < exchanges; ++failing) {
    attempt(failing, [&](const RoundReport& report, const Record&, const Record&) { EXPECT_FALSE(report.abandoned); });
  }
  for (int failing = 0; failing < needed; ++failing) {
    attempt(failing, [&](const RoundReport& report, const Record& before, const Record& after) {
      EXPECT_TRUE(report.abandoned) << "exchange " << failing;
      EXPECT_EQ(report.failures.size(), draws_cohorts(name()) ? 4U : 8U);
      Record expected = before;
      if (clients_remember(name())) {
        EXPECT_EQ(completed.record("clients").records.size(), 4U);
        expected.records.at("clients") = completed.record("clients");
      }
      EXPECT_EQ(encode(after), encode(expected)) << "exchange " << failing;
    });
  }
}

TEST_P(StrategyConformance, AnswersWhatItCantDoWithAnError) {
  const Strategy strategy = make(name(), quadratics());
  ClientHost host(strategy.client);
  EXPECT_TRUE(host.handle({0, Request("no such verb")}).error);
  for (const char* verb : {"train", "train_each", "sketch_jacobian", "correct_gramian"}) {
    EXPECT_TRUE(host.handle({0, Request(verb)}).error) << verb;
    EXPECT_TRUE(host.handle({0, Request(verb).with(std::vector<float>(3))}).error) << verb;
  }
}

TEST_P(StrategyConformance, RejectsACohortLargerThanTheFederation) {
  if (!draws_cohorts(name())) return;
  EXPECT_THROW(strategy_named(name(), quadratics(), {{"cohort_size", std::int64_t{9}}}), Error);
}

INSTANTIATE_TEST_SUITE_P(All, StrategyConformance, testing::ValuesIn(strategies().entries()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
