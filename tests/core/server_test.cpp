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
    const Replies updates = round.broadcast(ready.cohort(), Request("train").with(global.values()));
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
