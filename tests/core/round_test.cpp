#include "paretofl/core/round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "tests/core/fake_runtime.h"

namespace paretofl {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

constexpr RoundOptions kOptions{.seed = 7, .num_clients = 20, .min_reply_fraction = 0.5};

std::vector<int> ids(const Replies& replies) { return replies.cohort().clients; }

TEST(Round, SamplesDistinctClientsInOrder) {
  FakeRuntime runtime;
  std::set<std::vector<int>> cohorts;
  std::vector<int> drawn(20);
  for (std::uint32_t number = 1; number <= 2000; ++number) {
    const Cohort cohort = Round(runtime, kOptions, number).sample_clients(5);
    ASSERT_EQ(cohort.size(), 5U);
    ASSERT_EQ(cohort.sampled, 5U);
    ASSERT_TRUE(std::is_sorted(cohort.clients.begin(), cohort.clients.end()));
    ASSERT_EQ(std::set<int>(cohort.clients.begin(), cohort.clients.end()).size(), 5U);
    for (const int client : cohort.clients) ++drawn.at(static_cast<std::size_t>(client));
    cohorts.insert(cohort.clients);
  }
  EXPECT_THAT(drawn, Each(testing::AllOf(testing::Gt(400), testing::Lt(600))));
  EXPECT_GT(cohorts.size(), 1500U);
}

TEST(Round, SamplingDependsOnSeedRoundAndDrawAlone) {
  FakeRuntime runtime;
  Round round(runtime, kOptions, 3);
  const auto first = round.sample_clients(5).clients;
  const auto second = round.sample_clients(5).clients;
  EXPECT_NE(first, second);
  Round again(runtime, kOptions, 3);
  again.random("something else")();
  EXPECT_EQ(again.sample_clients(5).clients, first);
  EXPECT_EQ(again.sample_clients(5).clients, second);
  EXPECT_NE(Round(runtime, kOptions, 4).sample_clients(5).clients, first);
  EXPECT_NE(Round(runtime, {.seed = 8, .num_clients = 20}, 3).sample_clients(5).clients, first);
  RoundOptions of_other_seed = kOptions;
  of_other_seed.sampling_seed = 8;
  EXPECT_EQ(Round(runtime, of_other_seed, 3).sample_clients(5).clients,
            Round(runtime, {.seed = 8, .num_clients = 20}, 3).sample_clients(5).clients);
}

TEST(Round, PoissonSamplingDrawsEachClientOnItsOwn) {
  FakeRuntime runtime;
  RoundOptions options = kOptions;
  options.poisson = true;
  std::vector<int> drawn(20);
  std::vector<int> sizes(21);
  int both = 0;
  for (std::uint32_t number = 1; number <= 4000; ++number) {
    Round round(runtime, options, number);
    const Cohort cohort = round.sample_clients(5);
    EXPECT_EQ(cohort.sampled, cohort.size());
    ASSERT_EQ(round.draws().size(), 1U);
    EXPECT_EQ(round.draws()[0].drawn, 5U);
    EXPECT_EQ(round.draws()[0].available, 20U);
    ++sizes.at(cohort.size());
    for (const int client : cohort.clients) ++drawn.at(static_cast<std::size_t>(client));
    both += std::count(cohort.clients.begin(), cohort.clients.end(), 3) + std::count(cohort.clients.begin(), cohort.clients.end(), 4) == 2;
  }
  EXPECT_THAT(drawn, Each(testing::AllOf(testing::Gt(880), testing::Lt(1120))));  // 1000, standard deviation 27
  EXPECT_THAT(both, testing::AllOf(testing::Gt(190), testing::Lt(310)));          // 250, standard deviation 15
  EXPECT_GT(sizes[0], 2);                                                         // 13 expected
  EXPECT_GT(sizes[9], 60);                                                        // 108 expected
  Round everyone(runtime, options, 1);
  EXPECT_EQ(everyone.sample_clients(20).size(), 20U);
}

TEST(Round, CohortsHaveOneToAllClients) {
  FakeRuntime runtime;
  Round round(runtime, kOptions, 1);
  EXPECT_EQ(round.sample_clients(20).size(), 20U);
  EXPECT_EQ(round.sample_clients(1).size(), 1U);
  EXPECT_THROW(round.sample_clients(0), Error);
  EXPECT_THROW(round.sample_clients(21), Error);
}

TEST(Round, RequestsCarrySeedAndRound) {
  FakeRuntime runtime;
  Round round(runtime, kOptions, 3);
  round.broadcast({{1, 4}, 2}, Request("train").with(std::vector<float>{1}));
  ASSERT_THAT(runtime.asked, SizeIs(2));
  for (const Envelope& envelope : runtime.asked) {
    EXPECT_EQ(envelope.request.seed, 7U);
    EXPECT_EQ(envelope.request.round, 3U);
  }
  EXPECT_EQ(runtime.asked[0].request.parameters, runtime.asked[1].request.parameters) << "a broadcast copies theta once";
}

TEST(Round, RepliesAreSortedByClient) {
  FakeRuntime runtime;
  Round round(runtime, kOptions, 1);
  std::vector<Envelope> envelopes;
  for (const int client : {9, 2, 17, 0}) envelopes.push_back({client, Request("train")});
  const Replies replies = round.exchange(std::move(envelopes));
  EXPECT_THAT(ids(replies), ElementsAre(0, 2, 9, 17));
  EXPECT_EQ(replies.sampled, 4U);
}

TEST(Round, GoesOnWithTheRepliesItHas) {
  FakeRuntime runtime;
  runtime.failing = {3, 5};
  Round round(runtime, kOptions, 1);
  const Replies first = round.broadcast({{1, 3, 5, 7}, 4}, Request("sketch"));
  EXPECT_THAT(ids(first), ElementsAre(1, 7));
  ASSERT_THAT(round.failures(), SizeIs(2));
  EXPECT_EQ(round.failures()[1].client, 5);
  EXPECT_EQ(round.failures()[1].verb, "sketch");
  EXPECT_EQ(round.failures()[1].reason, "on strike");
  const Replies second = round.broadcast(first.cohort(), Request("train"));
  EXPECT_THAT(ids(second), ElementsAre(1, 7));
  EXPECT_EQ(second.sampled, 4U) << "as sampled, before any failed";
}

TEST(Round, CountsTheFractionOverAllExchanges) {
  FakeRuntime runtime;
  runtime.failing = {3};
  Round round(runtime, kOptions, 1);
  const Replies first = round.broadcast({{1, 2, 3, 4}, 4}, Request("sketch"));
  runtime.failing = {2, 4};
  EXPECT_THROW(round.broadcast(first.cohort(), Request("train")), RoundAbandoned) << "1 of the 4 sampled, not of the 3 left";
}

TEST(Round, IsAbandonedWithTooFewReplies) {
  for (const auto& [fraction, failing, abandoned] : std::vector<std::tuple<double, int, bool>>{
           {0.5, 5, false}, {0.5, 6, true}, {0.0, 9, false}, {0.0, 10, true}, {1.0, 0, false}, {1.0, 1, true}, {0.7, 3, false}}) {
    FakeRuntime runtime;
    for (int client = 0; client < failing; ++client) runtime.failing.insert(client);
    Round round(runtime, {.num_clients = 10, .min_reply_fraction = fraction}, 1);
    const Cohort all = round.sample_clients(10);
    if (abandoned) {
      EXPECT_THROW(round.broadcast(all, Request("train")), RoundAbandoned) << fraction << " " << failing;
    } else {
      EXPECT_EQ(round.broadcast(all, Request("train")).size(), static_cast<std::size_t>(10 - failing));
    }
    EXPECT_THAT(round.failures(), SizeIs(failing));
  }
}

// 0.55 * 100 is a little more than 55 in floating point.
TEST(Round, AFractionMeansTheWholeNumberItStandsFor) {
  FakeRuntime runtime;
  for (int client = 0; client < 45; ++client) runtime.failing.insert(client);
  Round round(runtime, {.num_clients = 100, .min_reply_fraction = 0.55}, 1);
  EXPECT_EQ(round.broadcast(round.sample_clients(100), Request("train")).size(), 55U);
}

TEST(Round, DrawsAdditionalClientsAndGoesOnWithTheFirstReplies) {
  FakeRuntime runtime;  // in which clients answer by ascending id
  RoundOptions options = kOptions;
  options.over_sample = 0.5;
  Round round(runtime, options, 1);
  const Cohort cohort = round.sample_clients(4);
  EXPECT_THAT(cohort.clients, SizeIs(6));
  EXPECT_EQ(cohort.sampled, 4U);
  runtime.failing = {cohort.clients[1]};
  const Replies first = round.broadcast(cohort, Request("sketch"));
  EXPECT_THAT(ids(first), ElementsAre(cohort.clients[0], cohort.clients[2], cohort.clients[3], cohort.clients[4]));
  EXPECT_EQ(first.sampled, 4U);
  EXPECT_EQ(round.late(), 1U);
  ASSERT_THAT(round.failures(), SizeIs(1)) << "who was not needed has not failed";
  EXPECT_EQ(round.failures()[0].client, cohort.clients[1]);
  runtime.asked.clear();
  EXPECT_THAT(round.broadcast(first.cohort(), Request("train")), SizeIs(4));
  EXPECT_THAT(runtime.asked, SizeIs(4));
}

TEST(Round, AdditionalClientsAreAWholeNumberUpToAll) {
  FakeRuntime runtime;
  const auto drawn = [&](double over_sample, std::size_t count) {
    RoundOptions options = kOptions;
    options.over_sample = over_sample;
    return Round(runtime, options, 1).sample_clients(count).size();
  };
  EXPECT_EQ(drawn(0.1, 10), 11U) << "1.1 * 10 is a little more than 11 in floating point";
  EXPECT_EQ(drawn(0.01, 10), 11U);
  EXPECT_EQ(drawn(1, 10), 20U);
  EXPECT_EQ(drawn(100, 10), 20U);
  EXPECT_EQ(drawn(100, 20), 20U);
}

TEST(Round, TheFractionIsOfTheClientsAskedFor) {
  FakeRuntime runtime;
  RoundOptions options{.num_clients = 10, .min_reply_fraction = 0.6};
  options.over_sample = 1;
  Round round(runtime, options, 1);
  for (int client = 0; client < 7; ++client) runtime.failing.insert(client);
  EXPECT_THAT(round.broadcast(round.sample_clients(5), Request("train")), SizeIs(3));
  runtime.failing.insert(7);
  EXPECT_THROW(round.broadcast(round.sample_clients(5), Request("train")), RoundAbandoned);
}

TEST(Round, LateRepliesAreFailures) {
  FakeRuntime runtime;
  RoundOptions options = kOptions;
  options.deadline = std::chrono::seconds(3);
  runtime.late = {2, 5};
  Round round(runtime, options, 1);
  EXPECT_THAT(ids(round.broadcast({{1, 2, 5, 7}, 4}, Request("train"))), ElementsAre(1, 7));
  EXPECT_EQ(round.late(), 2U);
  ASSERT_THAT(round.failures(), SizeIs(2));
  EXPECT_EQ(round.failures()[1].client, 5);
  EXPECT_EQ(round.failures()[1].reason, "late: no reply before the deadline");
}

TEST(Round, DrawsNobodyWhoSitsOutWhileOthersAreLeft) {
  FakeRuntime runtime;
  ClientBackoff backoff;
  for (const int client : {0, 1, 2, 3, 4, 5, 6, 7}) backoff.missed(client, 9);
  backoff.missed(8, 8);
  backoff.missed(8, 9);  // comes back a round later than the others
  Round round(runtime, kOptions, 10, backoff);
  for (int i = 0; i < 50; ++i) {
    for (const int client : round.sample_clients(11).clients) EXPECT_GT(client, 8);
  }
  EXPECT_THAT(round.sample_clients(13).clients, testing::IsSupersetOf({0, 1, 9, 10, 19}));
  EXPECT_THAT(round.sample_clients(19).clients, testing::Not(testing::Contains(8)));
  EXPECT_THAT(round.sample_clients(20).clients, testing::Contains(8));
  EXPECT_EQ(Round(runtime, kOptions, 10, ClientBackoff()).sample_clients(5).clients,
            Round(runtime, kOptions, 10).sample_clients(5).clients);
}

TEST(Round, SaysWhyItWasAbandoned) {
  FakeRuntime runtime;
  runtime.failing = {0, 1, 2};
  Round round(runtime, {.num_clients = 3}, 12);
  try {
    round.broadcast(round.sample_clients(3), Request("train"));
    FAIL();
  } catch (const RoundAbandoned& abandoned) {
    EXPECT_STREQ(abandoned.what(), "round 12: expected at least 2 of 3 replies to 'train', found 0; client 2: on strike");
  }
}

TEST(Round, RefusesBadExchanges) {
  FakeRuntime runtime;
  Round round(runtime, kOptions, 1);
  EXPECT_THROW(round.exchange({}), Error);
  EXPECT_THROW(round.exchange({{-1, Request("train")}}), Error);
  EXPECT_THROW(round.exchange({{20, Request("train")}}), Error);
  EXPECT_THROW(round.exchange({{2, Request("train")}, {1, Request("train")}, {2, Request("train")}}), Error);
  EXPECT_TRUE(runtime.asked.empty());
}

TEST(Round, AddsUpBytesAndTime) {
  FakeRuntime runtime;
  runtime.failing = {1};
  Round round(runtime, kOptions, 1);
  const Replies replies = round.broadcast({{0, 1, 2}, 3}, Request("sketch"));
  round.broadcast(replies.cohort(), Request("train"));
  EXPECT_EQ(round.bytes_down(), 500U);
  EXPECT_EQ(round.bytes_up(), 40U);
  std::vector<std::string> verbs;
  for (const auto& [verb, seconds] : round.seconds()) {
    verbs.push_back(verb);
    EXPECT_GE(seconds, 0);
  }
  EXPECT_THAT(verbs, ElementsAre("sketch", "train"));
}

TEST(Request, GettersCheckCounts) {
  const Request request = Request("train").with(std::vector<float>{1, 2}).with_objective_weights({0.5, 0.5});
  EXPECT_THAT(request.theta(2), ElementsAre(1, 2));
  EXPECT_THAT(request.lambda(2), ElementsAre(0.5, 0.5));
  EXPECT_THROW(request.theta(3), Error);
  EXPECT_THROW(request.lambda(3), Error);
  EXPECT_THROW(Request("train").theta(2), Error);
  EXPECT_THROW(Request("train").with_objective_weights({0.5, std::numeric_limits<double>::infinity()}).lambda(2), Error);
}

TEST(Request, ComparesWhatItCarries) {
  const std::vector<float> theta{1, 2};
  EXPECT_EQ(Request("train").with(theta), Request("train").with(theta)) << "by value, not by address";
  EXPECT_FALSE(Request("train").with(theta) == Request("train"));
  EXPECT_FALSE(Request("train").with(theta) == Request("train").with(std::vector<float>{1, 3}));
  EXPECT_FALSE(Request("train") == Request("sketch"));
}

}  // namespace
}  // namespace paretofl
