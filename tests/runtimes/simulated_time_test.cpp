#include "paretofl/runtimes/simulated_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "paretofl/core/error.h"
#include "tests/core/fake_runtime.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kClients = 10;

std::vector<Envelope> simulated_envelopes(std::uint32_t round = 1, std::uint64_t seed = 7) {
  std::vector<Envelope> envelopes;
  for (int client = 0; client < kClients; ++client) {
    envelopes.push_back({client, Request("train").with(std::vector<float>{1})});
    envelopes.back().request.round = round;
    envelopes.back().request.seed = seed;
  }
  return envelopes;
}

/// A runtime whose clients answer in this thread, by the simulated clock.
struct Simulated {
  explicit Simulated(const RuntimeOptions& options, std::uint64_t seed = 7) {
    auto owned = std::make_unique<FakeRuntime>();
    inner = owned.get();
    runtime = with_simulated_time(std::move(owned), options, seed, kClients);
  }

  std::vector<int> late(const ExchangeLimits& limits, std::uint32_t round = 1) {
    inner->asked.clear();
    last = runtime->exchange(simulated_envelopes(round), {}, limits);
    std::vector<int> clients;
    for (const Reply& reply : last.replies) {
      if (reply.lateness != Lateness::kInTime) clients.push_back(reply.client);
    }
    return clients;
  }

  FakeRuntime* inner;
  std::unique_ptr<Runtime> runtime;
  Exchange last;
};

const RuntimeOptions kStragglers{.simulated_seconds = 2, .straggler_share = 0.2, .straggler_slowdown = 10};
constexpr ExchangeLimits kFiveSeconds{.deadline = std::chrono::seconds(5)};

TEST(SimulatedTime, IsOffWithoutSeconds) {
  Simulated simulated(RuntimeOptions{});
  EXPECT_EQ(simulated.runtime.get(), simulated.inner);
  EXPECT_THROW(Simulated(RuntimeOptions{.straggler_share = 0.1}), Error);
  EXPECT_THROW(Simulated(RuntimeOptions{.simulated_spread = 0.1}), Error);
}

TEST(SimulatedTime, AnExchangeTakesAsLongAsItsSlowestClient) {
  Simulated even(RuntimeOptions{.simulated_seconds = 2});
  EXPECT_THAT(even.late({}), IsEmpty());
  EXPECT_EQ(even.last.simulated_seconds, 2);
  Simulated uneven(kStragglers);
  EXPECT_THAT(uneven.late({}), IsEmpty());
  EXPECT_EQ(uneven.last.simulated_seconds, 20);
}

TEST(SimulatedTime, TheDeadlineCutsTheStragglersOff) {
  Simulated simulated(kStragglers);
  const std::vector<int> late = simulated.late(kFiveSeconds);
  EXPECT_THAT(late, SizeIs(2)) << "a fifth of ten";
  EXPECT_EQ(simulated.last.simulated_seconds, 5);
  EXPECT_THAT(simulated.inner->asked, SizeIs(8)) << "who would be late does not compute";
  EXPECT_EQ(simulated.last.bytes_down, 800U);
  for (const int client : late) {
    EXPECT_EQ(simulated.last.replies[static_cast<std::size_t>(client)], Reply::late(client, Lateness::kDeadline));
  }
  EXPECT_EQ(simulated.late(kFiveSeconds, 2), late) << "the same in every round";
  EXPECT_THAT(simulated.late({.deadline = std::chrono::seconds(20)}), IsEmpty()) << "in time is at the deadline, too";
}

TEST(SimulatedTime, StragglersAreDrawnFromTheSeed) {
  std::set<std::vector<int>> drawn;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) drawn.insert(Simulated(kStragglers, seed).late(kFiveSeconds));
  EXPECT_GT(drawn.size(), 5U);
}

TEST(SimulatedTime, TheSpreadIsDrawnForEachRoundAndClient) {
  RuntimeOptions options{.simulated_seconds = 10};
  options.simulated_spread = 0.5;
  Simulated simulated(options);
  int late = 0;
  std::set<std::vector<int>> sets;
  for (std::uint32_t round = 1; round <= 200; ++round) {
    const std::vector<int> clients = simulated.late({.deadline = std::chrono::seconds(10)}, round);
    late += static_cast<int>(clients.size());
    sets.insert(clients);
    EXPECT_THAT(simulated.late({.deadline = std::chrono::seconds(15)}, round), IsEmpty());
    EXPECT_GE(*simulated.last.simulated_seconds, 5);
    EXPECT_THAT(simulated.late({.deadline = std::chrono::duration<double>(4.9)}, round), SizeIs(kClients));
  }
  EXPECT_NEAR(late, 1000, 120) << "half of them";
  EXPECT_GT(sets.size(), 100U);
}

TEST(SimulatedTime, EnoughAreTheFirstByTheClock) {
  RuntimeOptions options = kStragglers;
  options.simulated_spread = 0.5;
  Simulated simulated(options);
  const std::vector<int> late = simulated.late({.enough = 8});
  EXPECT_EQ(late, Simulated(kStragglers).late(kFiveSeconds)) << "the stragglers";
  EXPECT_LT(*simulated.last.simulated_seconds, 3);
  for (const int client : late) {
    EXPECT_EQ(simulated.last.replies[static_cast<std::size_t>(client)], Reply::late(client, Lateness::kEnough));
  }
  double before = 0;
  for (std::size_t enough = 1; enough <= kClients; ++enough) {
    EXPECT_THAT(simulated.late({.enough = enough}), SizeIs(kClients - enough));
    EXPECT_GT(*simulated.last.simulated_seconds, before);
    before = *simulated.last.simulated_seconds;
  }
}

TEST(SimulatedTime, TheNextTakeTheFailedOnesPlaces) {
  Simulated simulated(kStragglers);
  const std::vector<int> stragglers = simulated.late(kFiveSeconds);
  for (int client = 0; client < kClients && simulated.inner->failing.size() < 3; ++client) {
    if (client != stragglers[0] && client != stragglers[1]) simulated.inner->failing.insert(client);
  }
  EXPECT_THAT(simulated.late({.enough = 5}), ElementsAre(stragglers[0], stragglers[1]));
  EXPECT_EQ(simulated.last.simulated_seconds, 2);
  EXPECT_THAT(simulated.late({.enough = 6}), ElementsAre(stragglers[1])) << "the first straggler is needed, of equals the first envelope's";
  EXPECT_EQ(simulated.last.simulated_seconds, 20);
  EXPECT_THAT(simulated.late({.enough = 8}), IsEmpty()) << "all have answered or failed, and seven are all there are";
  EXPECT_EQ(simulated.late({.deadline = std::chrono::seconds(5), .enough = 6}), stragglers);
  EXPECT_EQ(simulated.last.simulated_seconds, 5) << "five answers are not enough";
}

TEST(SimulatedTime, RepliesArePassedOnInOrderInEveryCase) {
  for (const ExchangeLimits& limits :
       {ExchangeLimits{}, kFiveSeconds, ExchangeLimits{.enough = 6}, ExchangeLimits{std::chrono::seconds(5), 6}}) {
    Simulated simulated(kStragglers);
    simulated.inner->failing = {4};
    std::vector<Reply> passed;
    const Exchange exchange = simulated.runtime->exchange(
        simulated_envelopes(),
        [&](Reply& reply) {
          passed.push_back(reply);
          reply.update.clear();
        },
        limits);
    ASSERT_THAT(passed, SizeIs(kClients));
    for (std::size_t i = 0; i < passed.size(); ++i) {
      EXPECT_EQ(passed[i].client, static_cast<int>(i));
      EXPECT_EQ(passed[i].lateness, exchange.replies[i].lateness);
      EXPECT_EQ(passed[i].error, exchange.replies[i].error);
      EXPECT_TRUE(exchange.replies[i].update.empty());
    }
  }
}

TEST(SimulatedTime, StatesTakeNone) {
  Simulated simulated(kStragglers);
  std::vector<Envelope> envelopes;
  for (int client = 0; client < kClients; ++client) envelopes.push_back({client, Request(std::string(kSaveState))});
  const Exchange exchange = simulated.runtime->exchange(envelopes, {}, {.deadline = std::chrono::duration<double>(0.1)});
  for (const Reply& reply : exchange.replies) EXPECT_EQ(reply.error, std::nullopt);
  EXPECT_EQ(exchange.simulated_seconds, std::nullopt);
}

}  // namespace
}  // namespace paretofl
