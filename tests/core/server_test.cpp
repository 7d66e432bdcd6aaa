#include "paretofl/core/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/core/fake_runtime.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr RoundOptions kRoundOptions{.seed = 7, .num_clients = 10, .min_reply_fraction = 0.5};

/// Two exchanges with a cohort of 4, then the mean of the updates; remembers how many rounds it finished.
class Averaging : public ServerHalf {
 public:
  Metrics run_round(Round& round, Parameters& global) override {
    const Replies ready = round.broadcast(round.sample_clients(4), Request("prepare"));
    const Replies updates = round.broadcast(ready.cohort(), Request("train").with(global));
    std::vector<float> mean(global.size());
    for (const Reply& reply : updates) {
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += reply.update[i] / static_cast<float>(updates.size());
    }
    std::copy(mean.begin(), mean.end(), global.values().begin());
    ++finished_;
    return Metrics().with("finished", finished_);
  }
  void save(Record& state) const override { state.scalars["finished"] = finished_; }
  void load(const Record& state) override { finished_ = state.scalar("finished"); }

 private:
  double finished_ = 0;
};

Server make_server(Runtime& runtime) {
  return Server(std::make_unique<Averaging>(), runtime, kRoundOptions, Parameters(flat_layout("x", 3), {0, 1, 2}));
}

std::vector<float> values(const Server& server) { return {server.global().values().begin(), server.global().values().end()}; }

TEST(Server, RunsRounds) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  const RoundReport report = server.run_round(1);
  EXPECT_EQ(report.round, 1U);
  EXPECT_EQ(std::get<double>(report.metrics.values().at("finished")), 1);
  EXPECT_FALSE(report.abandoned);
  EXPECT_EQ(report.bytes_down, 800U);
  EXPECT_EQ(report.bytes_up, 80U);
  EXPECT_NE(values(server), (std::vector<float>{0, 1, 2}));
  std::vector<std::string> phases;
  for (const auto& [phase, seconds] : report.seconds) phases.push_back(phase);
  EXPECT_THAT(phases, ElementsAre("prepare", "server", "train"));
}

class Diverging : public ServerHalf {
 public:
  Metrics run_round(Round& round, Parameters& global) override {
    global.values()[1] = round.number() < 2 ? 5.0F : std::numeric_limits<float>::infinity();
    return {};
  }
};

TEST(Server, AStepThatIsNotFiniteIsAnError) {
  FakeRuntime runtime;
  Server server(std::make_unique<Diverging>(), runtime, kRoundOptions, Parameters(flat_layout("x", 3), {0, 1, 2}));
  EXPECT_NO_THROW(server.run_round(1));
  EXPECT_THAT(
      [&] { server.run_round(2); },
      testing::ThrowsMessage<Error>(HasSubstr("round 2: expected the global parameters to be finite after the step, found 1 of 3")));
}

TEST(Server, RecordsFailures) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  server.run_round(1);
  runtime.failing = {runtime.asked.front().client};
  runtime.asked.clear();
  const RoundReport report = server.run_round(1);
  EXPECT_FALSE(report.abandoned);
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.failures[0].verb, "prepare");
  EXPECT_EQ(report.failures[0].reason, "on strike");
  EXPECT_THAT(runtime.asked, SizeIs(7)) << "who failed is not asked again in the round";
}

TEST(Server, AnAbandonedRoundLeavesNoTrace) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  server.run_round(1);
  const auto before = values(server);
  const Record server_half = server.save().record("server");
  for (int client = 0; client < 10; ++client) runtime.failing.insert(client);
  const RoundReport report = server.run_round(2);
  ASSERT_TRUE(report.abandoned);
  EXPECT_THAT(*report.abandoned, HasSubstr("round 2: expected at least 2 of 4 replies to 'prepare', found 0"));
  EXPECT_THAT(report.failures, SizeIs(4));
  EXPECT_EQ(values(server), before);
  runtime.failing.clear();
  EXPECT_EQ(server.save().record("server"), server_half);
  EXPECT_FALSE(server.run_round(3).abandoned);
}

TEST(Server, OtherErrorsEndTheRun) {
  class Broken : public ServerHalf {
    Metrics run_round(Round&, Parameters&) override { throw Error("strategy: expected a cohort, found none"); }
  };
  FakeRuntime runtime;
  Server server(std::make_unique<Broken>(), runtime, kRoundOptions, Parameters(flat_layout("x", 1)));
  EXPECT_THROW(server.run_round(1), Error);
}

TEST(Server, GoesOnFromASavedStateAsIfNothingHadHappened) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  for (std::uint32_t round = 1; round <= 3; ++round) server.run_round(round);
  const Record saved = server.save();
  EXPECT_EQ(server.save(), saved) << "saving changes nothing";
  for (std::uint32_t round = 4; round <= 6; ++round) server.run_round(round);

  FakeRuntime fresh_runtime;
  Server resumed = make_server(fresh_runtime);
  resumed.load(saved);
  EXPECT_EQ(resumed.save(), saved);
  for (std::uint32_t round = 4; round <= 6; ++round) resumed.run_round(round);
  EXPECT_EQ(values(resumed), values(server));
  EXPECT_EQ(resumed.save(), server.save());
}

TEST(Server, SavesOnlyClientsThatTookPart) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  EXPECT_TRUE(server.save().record("clients").empty());
  server.run_round(1);
  EXPECT_THAT(server.save().record("clients").records, SizeIs(4));
}

TEST(Server, SavingFailsWhereAClientDoes) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  server.run_round(1);
  runtime.failing = {runtime.asked.front().client};
  EXPECT_THROW(server.save(), Error);
}

Server server_with_deadline(Runtime& runtime) {
  RoundOptions options = kRoundOptions;
  options.deadline = std::chrono::seconds(5);
  options.num_clients = 5;
  return Server(std::make_unique<Averaging>(), runtime, options, Parameters(flat_layout("x", 3), {0, 1, 2}));
}

std::set<int> clients_asked(const FakeRuntime& runtime) {
  std::set<int> clients;
  for (const Envelope& envelope : runtime.asked) clients.insert(envelope.client);
  return clients;
}

TEST(Server, WhoWasLateSitsOutAndIsAskedAgain) {
  FakeRuntime runtime;
  Server server = server_with_deadline(runtime);
  int late = -1;
  std::vector<std::uint32_t> asked_in;
  for (std::uint32_t round = 1; round <= 20; ++round) {
    runtime.asked.clear();
    const RoundReport report = server.run_round(round);
    EXPECT_EQ(report.late, runtime.asked.size() == 7 ? 1U : 0U) << "four asked to prepare, and three to train";
    if (round == 1) {
      late = runtime.asked.front().client;  // of the four of five who are asked
      runtime.late = {late};
    } else if (clients_asked(runtime).contains(late)) {
      asked_in.push_back(round);
    }
  }
  ASSERT_GE(asked_in.size(), 3U);
  for (std::size_t i = 1; i < asked_in.size(); ++i) {
    EXPECT_EQ(asked_in[i], asked_in[i - 1] + (std::uint32_t{1} << (i - 1)) + 1)
        << "four of the other four: it comes back as soon as it may";
  }
}

TEST(Server, WithoutADeadlineNobodySitsOut) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  FakeRuntime whole;
  Server other = make_server(whole);
  runtime.failing = {3};
  for (std::uint32_t round = 1; round <= 10; ++round) {
    runtime.asked.clear();
    whole.asked.clear();
    server.run_round(round);
    other.run_round(round);
    EXPECT_EQ(clients_asked(runtime), clients_asked(whole));
  }
  runtime.failing.clear();
  EXPECT_FALSE(server.save().records.contains("backoff"));
}

TEST(Server, WhoSitsOutIsInTheSavedState) {
  FakeRuntime runtime;
  Server server = server_with_deadline(runtime);
  runtime.late = {1, 2};
  for (std::uint32_t round = 1; round <= 3; ++round) server.run_round(round);
  runtime.late.clear();
  const Record saved = server.save();
  FakeRuntime fresh_runtime;
  Server resumed = server_with_deadline(fresh_runtime);
  resumed.load(saved);
  for (std::uint32_t round = 4; round <= 9; ++round) {
    runtime.asked.clear();
    fresh_runtime.asked.clear();
    server.run_round(round);
    resumed.run_round(round);
    EXPECT_EQ(clients_asked(fresh_runtime), clients_asked(runtime));
  }
  EXPECT_EQ(resumed.save(), server.save());
  Record bad = saved;
  bad.records.erase("backoff");
  EXPECT_THROW(resumed.load(bad), Error);
}

TEST(Server, TheStateOfAClientThatIsLateIsTheOneLastSaved) {
  FakeRuntime runtime;
  Server server = server_with_deadline(runtime);
  server.run_round(1);
  const Record first = server.save().record("clients");
  const int late = runtime.asked.front().client;
  server.run_round(2);
  server.run_round(3);
  const Record whole = server.save().record("clients");
  runtime.late = {late};
  const std::string name = std::to_string(late);
  EXPECT_EQ(server.save().record("clients"), whole);
  ASSERT_NE(whole.record(name), first.record(name));

  FakeRuntime fresh_runtime;
  Server resumed = server_with_deadline(fresh_runtime);
  Record state = server.save();
  resumed.load(state);
  fresh_runtime.late = {late};
  EXPECT_EQ(resumed.save().record("clients"), whole) << "the loaded one is the last";
  fresh_runtime.failing = {(late + 1) % 5};
  fresh_runtime.late.clear();
  EXPECT_THROW(resumed.save(), Error) << "a failure is no lateness";
}

// Parties may be away for a while, also without a deadline: a checkpoint must not end the run.
TEST(Server, TheStateOfAPartyThatIsAwayIsTheOneLastSaved) {
  FakeRuntime runtime;
  runtime.parties = true;
  Server server = make_server(runtime);
  server.run_round(1);
  const int away = runtime.asked.front().client;
  const std::string name = std::to_string(away);
  const Record before = server.save().record("clients").record(name);
  runtime.failing = {away};
  EXPECT_EQ(server.save().record("clients").record(name), before);
}

TEST(Server, APartyThatIsAwayOnResumingTakesUpItsStateBeforeItIsAskedAgain) {
  FakeRuntime runtime;
  runtime.parties = true;
  Server server = server_with_deadline(runtime);
  server.run_round(1);
  const int away = runtime.asked.front().client;
  const std::string name = std::to_string(away);
  const Record saved = server.save();
  const Record& kept = saved.record("clients").record(name);
  ASSERT_FALSE(kept.empty());

  FakeRuntime fresh;
  fresh.parties = true;
  fresh.late = {away};
  Server resumed = server_with_deadline(fresh);
  resumed.load(saved);
  const auto run_until_asked = [&](std::uint32_t first) {
    fresh.asked.clear();
    std::vector<Envelope> asked;
    for (std::uint32_t round = first; asked.empty() && round < first + 40; ++round) {
      const RoundReport report = resumed.run_round(round);
      std::copy_if(fresh.asked.begin(), fresh.asked.end(), std::back_inserter(asked),
                   [&](const Envelope& envelope) { return envelope.client == away; });
      for (const Failure& failure : report.failures) EXPECT_EQ(failure.client, away);
    }
    return asked;
  };
  const std::vector<Envelope> meanwhile = run_until_asked(2);
  ASSERT_FALSE(meanwhile.empty());
  for (const Envelope& envelope : meanwhile) EXPECT_EQ(envelope.request.verb, kLoadState) << "it would begin anew";
  EXPECT_EQ(resumed.save().record("clients").record(name), kept);

  fresh.late.clear();
  const std::vector<Envelope> back = run_until_asked(50);
  ASSERT_THAT(back, SizeIs(testing::Gt(1U)));
  EXPECT_EQ(back[0].request.verb, kLoadState);
  EXPECT_EQ(back[0].request.extra, kept);
  EXPECT_EQ(back[1].request.verb, "prepare");
  EXPECT_NE(resumed.save().record("clients").record(name), kept);

  FakeRuntime refusing;
  refusing.parties = true;
  refusing.failing = {away};
  Server lost = server_with_deadline(refusing);
  EXPECT_THROW(lost.load(saved), Error) << "a party that has lost the state is not away";
}

TEST(Server, RefusesStatesThatDoNotFit) {
  FakeRuntime runtime;
  Server server = make_server(runtime);
  server.run_round(1);
  const Record saved = server.save();

  EXPECT_THROW(server.load({}), Error);
  Record bad = saved;
  bad.arrays["parameters"] = Array(std::vector<float>{1, 2});
  EXPECT_THROW(server.load(bad), Error);
  for (const char* client : {"", "x", "1x", "-1", "10", "99999999999"}) {
    bad = saved;
    bad.records["clients"].records[client].scalars["calls"] = 1;
    EXPECT_THROW(server.load(bad), Error) << client;
  }
  bad = saved;
  bad.records["server"] = {};
  EXPECT_THROW(server.load(bad), Error);
}

TEST(Server, DropoutIsTheSameWithEveryRun) {
  std::vector<std::vector<int>> failed;
  for (int run = 0; run < 2; ++run) {
    FakeRuntime runtime(0.3);
    Server server = make_server(runtime);
    failed.emplace_back();
    for (std::uint32_t round = 1; round <= 10; ++round) {
      for (const Failure& failure : server.run_round(round).failures) failed.back().push_back(failure.client);
    }
  }
  EXPECT_FALSE(failed[0].empty());
  EXPECT_EQ(failed[0], failed[1]);
}

}  // namespace
}  // namespace paretofl
