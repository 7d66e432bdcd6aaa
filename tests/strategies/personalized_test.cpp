// What every strategy with private preferences promises.
#include "paretofl/personalized/personalized.h"
#include "paretofl/registry/option_lister.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "paretofl/wire/message.h"
#include "tests/simulation.h"
#include "tests/strategies/counting_quadratics.h"

namespace paretofl {
namespace {

using testing::ElementsAreArray;
using Values = std::map<std::string, Settings::Value>;

struct Case {
  std::string name;
  Values values;
  std::string text;

  // NOLINTNEXTLINE(readability-identifier-naming)
  friend void PrintTo(const Case& value, std::ostream* out) { *out << value.text; }
};

/// All registered strategies that draw no cohorts, and federated averaging with private preferences; +FT where there is.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const RegistryEntry* entry : strategies().entries()) {
    OptionLister options;
    entry->describe(options);
    const auto has = [&](const std::string& key) {
      return std::any_of(options.docs().begin(), options.docs().end(), [&](const OptionDoc& doc) { return doc.key == key; });
    };
    Values values;
    if (has("private_preferences")) values = {{"private_preferences", true}, {"cohort_size", std::int64_t{6}}};
    if ((has("cohort_size") && values.empty()) || has("objective")) continue;
    if (has("mu")) values.emplace("mu", 0.5);
    if (has("epsilon")) values.emplace("epsilon", 2.0);
    if (has("threshold")) values.emplace("threshold", 2.0);
    all.push_back({entry->name, values, entry->name});
    if (!has("fine_tune")) continue;
    values.emplace("fine_tune", true);
    all.push_back({entry->name, values, entry->name + "_ft"});
  }
  return all;
}

/// Preferences over three objectives, of digits that nothing else has.
const std::vector<double> kWanted{0.31847293, 0.5517361, 0.1297909, 0.07313377, 0.2291883, 0.6976779};

CountingQuadratics preferred() {
  return {{.clients = 6,
           .objectives = 3,
           .preferences = {"groups", {.values = {{"sizes", std::vector<double>{3, 3}}, {"preferences", kWanted}}, .tables = {}}}},
          2};
}

class Personalized : public testing::TestWithParam<Case> {
 protected:
  Strategy make(const Workload& workload) const { return strategy_named(GetParam().name, workload, GetParam().values); }
};

/// Keeps what goes over the wire, and lets chosen clients fail.
class RecordingRuntime : public Runtime {
 public:
  explicit RecordingRuntime(ClientFactory clients)
      : pool_(1), inner_(make_threads_runtime({.threads = 1, .through_wire = true}, pool_, std::move(clients))) {}

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    for (const Envelope& envelope : envelopes) {
      requests.push_back(envelope.request);
      keep(encode(envelope));
    }
    return inner_->exchange(
        envelopes,
        [&](Reply& reply) {
          replies.push_back(reply);
          keep(encode(reply));
          if (failing.contains(reply.client)) reply.error = "gone";
          if (on_reply) on_reply(reply);
        },
        limits);
  }

  std::vector<Request> requests;
  std::vector<Reply> replies;
  std::vector<std::byte> bytes;
  std::set<int> failing;

 private:
  void keep(const std::vector<std::byte>& message) { bytes.insert(bytes.end(), message.begin(), message.end()); }

  ThreadPool pool_;
  std::unique_ptr<Runtime> inner_;
};

template <class T>
bool contains(const std::vector<std::byte>& bytes, T number) {
  const auto pattern = std::as_bytes(std::span(&number, 1));
  return std::search(bytes.begin(), bytes.end(), pattern.begin(), pattern.end()) != bytes.end();
}

bool tells_a_preference(const std::vector<std::byte>& bytes, const Workload& workload) {
  std::vector<double> numbers = kWanted;
  for (int i = 0; i < workload.num_clients(); ++i) {
    const Preference preference = workload.preference(i);
    numbers.insert(numbers.end(), preference.weights().begin(), preference.weights().end());
  }
  return std::any_of(numbers.begin(), numbers.end(),
                     [&](double number) { return contains(bytes, number) || contains(bytes, static_cast<float>(number)); });
}

TEST_P(Personalized, NoMessageTellsWhatAClientWants) {
  const CountingQuadratics counting = preferred();
  const Quadratics plain(
      {.clients = 6,
       .objectives = 3,
       .preferences = {"groups", {.values = {{"sizes", std::vector<double>{3, 3}}, {"preferences", kWanted}}, .tables = {}}}},
      2);
  for (const Workload* workload : {static_cast<const Workload*>(&counting), static_cast<const Workload*>(&plain)}) {
    Strategy strategy = make(*workload);
    RecordingRuntime runtime(std::move(strategy.client));
    Server server(std::move(strategy.server), runtime, {1, 6, 0.5}, workload->initial_parameters());
    for (std::uint32_t round = 1; round <= 10; ++round) server.run_round(round);
    ASSERT_EQ(runtime.requests.size(), 60U);
    for (const Request& request : runtime.requests) {
      EXPECT_EQ(request.verb, "train");
      EXPECT_TRUE(request.objective_weights.empty());
      EXPECT_TRUE(request.extra.empty());
    }
    for (const Reply& reply : runtime.replies) EXPECT_TRUE(reply.extra.empty());
    EXPECT_FALSE(tells_a_preference(runtime.bytes, *workload));
  }
}

// The search finds a preference that is sent: lambda of the second group as scalarized averaging sends it.
TEST(PersonalizedPrivacy, TheSearchFindsWhatIsSent) {
  const CountingQuadratics workload = preferred();
  const std::vector<double> lambda(kWanted.begin() + 3, kWanted.end());
  Strategy strategy = strategy_named("fedavg", workload, {{"cohort_size", std::int64_t{6}}, {"objective_weights", lambda}});
  RecordingRuntime runtime(std::move(strategy.client));
  Server server(std::move(strategy.server), runtime, {1, 6, 0.5}, workload.initial_parameters());
  server.run_round(1);
  EXPECT_TRUE(tells_a_preference(runtime.bytes, workload));
}

TEST_P(Personalized, ClientsWhoDontAnswerKeepTheirModels) {
  const CountingQuadratics workload = preferred();
  Strategy strategy = make(workload);
  RecordingRuntime runtime(std::move(strategy.client));
  Server server(std::move(strategy.server), runtime, {1, 6, 0.5}, workload.initial_parameters());
  for (std::uint32_t round = 1; round <= 3; ++round) server.run_round(round);
  runtime.requests.clear();
  runtime.failing = {2, 5};
  EXPECT_EQ(server.run_round(4).failures.size(), 2U);
  const ClientModels& models = *server.client_models();
  // What client i was sent. Averaging has one model for all, or for a cluster, which moves on without those who did not answer.
  const auto sent = [&](int i) { return runtime.requests[static_cast<std::size_t>(i)].theta(workload.layout()->size()); };
  const bool fine_tunes = GetParam().values.contains("fine_tune");
  const bool shares_one_model = GetParam().values.contains("private_preferences") && !fine_tunes;
  for (const int i : {2, 5}) {
    if (shares_one_model) {
      EXPECT_THAT(models.of(i), ElementsAreArray(server.global().values()));
    } else if (GetParam().name == "cfl" && !fine_tunes) {
      const auto same = [&](int other) { return std::ranges::equal(models.of(i), models.of(other)); };
      EXPECT_TRUE(same(0) || same(1) || same(3) || same(4));
    } else {
      EXPECT_THAT(models.of(i), ElementsAreArray(sent(i)));
    }
  }
  for (const int i : {0, 1, 3, 4}) EXPECT_THAT(models.of(i), testing::Not(ElementsAreArray(sent(i))));
}

TEST_P(Personalized, FineTunedModelsAreThoseOfARunWithFineTuning) {
  if (GetParam().values.contains("fine_tune")) return;
  const CountingQuadratics workload = preferred();
  Simulation plain(make(workload), workload);
  plain.run(1, 5);
  if (GetParam().name == "no_communication") {
    EXPECT_THAT(plain.server.fine_tuned_models()->values(), ElementsAreArray(plain.server.client_models()->values()));
    return;
  }
  Values values = GetParam().values;
  values.emplace("fine_tune", true);
  Simulation tuned(strategy_named(GetParam().name, workload, values), workload);
  tuned.run(1, 5);
  EXPECT_EQ(tuned.server.fine_tuned_models(), nullptr);
  EXPECT_THAT(plain.server.fine_tuned_models()->values(), ElementsAreArray(tuned.server.client_models()->values()));
}

TEST_P(Personalized, GoesOnFromASavedStateBitForBitOnAnyThreads) {
  const CountingQuadratics workload = preferred();
  Simulation whole(make(workload), workload);
  const std::vector<float> expected = whole.run(1, 9);
  for (const std::uint32_t stop : {1U, 4U}) {
    Simulation first(make(workload), workload, {.runtime = {.threads = 2, .dropout_rate = 0}});
    first.run(1, stop);
    const std::vector<std::byte> bytes = encode(first.server.save());
    Simulation second(make(workload), workload, {.runtime = {.threads = 3, .through_wire = true}});
    second.server.load(decode_state(bytes));
    EXPECT_THAT(second.server.client_models()->values(), ElementsAreArray(first.server.client_models()->values()));
    EXPECT_EQ(second.run(stop + 1, 9), expected);
    EXPECT_THAT(second.server.client_models()->values(), ElementsAreArray(whole.server.client_models()->values()));
  }
}

// The learner is made once: its count of trainings makes every later one another.
TEST_P(Personalized, LearnersKeepTheirStateBetweenRounds) {
  const CountingQuadratics workload = preferred();
  const Strategy strategy = make(workload);
  ClientHost host(strategy.client);
  const Parameters start = workload.initial_parameters();
  const auto trained = [&] { return host.handle({3, Request("train").with(start.values())}).update; };
  const std::vector<float> first = trained();
  ASSERT_EQ(first.size(), start.size());
  EXPECT_NE(trained(), first);
}

TEST_P(Personalized, TrainEveryClientUnderItsOwnPreference) {
  const CountingQuadratics workload = preferred();
  const Strategy strategy = make(workload);
  ClientHost host(strategy.client);
  const Parameters start = workload.initial_parameters();
  for (int i = 0; i < 6; ++i) {
    std::vector<float> expected(start.values().begin(), start.values().end());
    const Reply reply = host.handle({i, Request("train").with(expected)});
    workload.learner(i, {.proximal = GetParam().values.contains("mu") ? 0.5 : 0})->train(expected, {0, 0, static_cast<std::uint32_t>(i)});
    EXPECT_EQ(reply.update, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Personalized, testing::ValuesIn(cases()), [](const auto& info) { return info.param.text; });

}  // namespace
}  // namespace paretofl
