#include "paretofl/aggregators/mean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Reply reply(int client, double samples, std::vector<float> update, std::vector<double> losses = {}) {
  Reply reply;
  reply.client = client;
  reply.num_samples = samples;
  reply.update = std::move(update);
  reply.losses = std::move(losses);
  return reply;
}

Replies two_clients() { return {{reply(0, 1, {1, 2}, {4, 8}), reply(5, 3, {5, -2}, {8, 0})}, 2}; }

TEST(Mean, UniformCountsEveryClientTheSame) {
  EXPECT_THAT(mean_update(two_clients(), 2), ElementsAre(3, 0));
  EXPECT_THAT(mean_losses(two_clients(), 2), ElementsAre(6, 4));
}

TEST(Mean, SamplesWeighClientsByTheirData) {
  EXPECT_THAT(mean_update(two_clients(), 2, ClientWeighting::kSamples), ElementsAre(4, -1));
  EXPECT_THAT(mean_losses(two_clients(), 2, ClientWeighting::kSamples), ElementsAre(7, 2));
  EXPECT_THAT(client_shares(two_clients(), ClientWeighting::kSamples), ElementsAre(0.25, 0.75));
}

TEST(Mean, EqualUpdatesAreTheirOwnMean) {
  Replies replies{{}, 4};
  for (int client = 0; client < 4; ++client) replies.replies.push_back(reply(client, 1 << client, {0.5F, -3}));
  EXPECT_THAT(mean_update(replies, 2, ClientWeighting::kSamples), ElementsAre(testing::FloatEq(0.5F), testing::FloatEq(-3)));
}

TEST(Mean, RejectsWhatCantBeAveraged) {
  const Replies short_update{{reply(7, 1, {1})}, 1};
  EXPECT_THAT([&] { mean_update(short_update, 2); }, ThrowsMessage<Error>(HasSubstr("expected an update of 2 numbers from client 7")));
  const Replies nan{{reply(7, 1, {1, std::numeric_limits<float>::quiet_NaN()})}, 1};
  EXPECT_THAT([&] { mean_update(nan, 2); }, ThrowsMessage<Error>(HasSubstr("NaN or infinity from client 7")));
  const Replies infinite{{reply(7, 1, {-std::numeric_limits<float>::infinity(), 1})}, 1};
  EXPECT_THAT([&] { mean_update(infinite, 2); }, ThrowsMessage<Error>(HasSubstr("NaN or infinity from client 7")));
  const Replies no_samples{{reply(7, 0, {1, 1})}, 1};
  EXPECT_THAT([&] { mean_update(no_samples, 2, ClientWeighting::kSamples); },
              ThrowsMessage<Error>(HasSubstr("positive sample count from client 7")));
  EXPECT_THAT([&] { mean_losses(short_update, 2); }, ThrowsMessage<Error>(HasSubstr("expected 2 losses from client 7")));
  EXPECT_THAT([] { parse_client_weighting("all"); }, ThrowsMessage<Error>(HasSubstr("found 'all'")));
}

std::vector<float> arriving(Replies replies, std::size_t cohort, ClientWeighting weighting) {
  ArrivingMean mean(replies.replies.front().update.size(), weighting, cohort);
  for (Reply& reply : replies) {
    mean.add(reply);
    EXPECT_TRUE(reply.update.empty());
  }
  return mean.take();
}

TEST(ArrivingMean, HasTheBitsOfTheMeanWhereAllAnswerAndCountTheSame) {
  Random random({7, 0, 0}, "updates");
  for (const double samples : {1.0, 600.0}) {
    Replies replies{{}, 7};
    for (int client = 0; client < 7; ++client) {
      std::vector<float> update(1000);
      for (float& x : update) x = static_cast<float>(random.normal());
      replies.replies.push_back(reply(client, samples, std::move(update)));
    }
    for (const auto weighting : {ClientWeighting::kUniform, ClientWeighting::kSamples}) {
      EXPECT_EQ(arriving(replies, 7, weighting), mean_update(replies, 1000, weighting));
    }
  }
}

TEST(ArrivingMean, CountsClientsBySamplesAndLeavesOutThoseWhoFailed) {
  for (const std::size_t cohort : {std::size_t{2}, std::size_t{5}}) {
    EXPECT_THAT(arriving(two_clients(), cohort, ClientWeighting::kUniform), ElementsAre(testing::FloatEq(3), testing::FloatEq(0)));
    EXPECT_THAT(arriving(two_clients(), cohort, ClientWeighting::kSamples), ElementsAre(testing::FloatEq(4), testing::FloatEq(-1)));
  }
}

TEST(ArrivingMean, RejectsWhatCantBeAveraged) {
  const auto add = [](Reply bad) { ArrivingMean(2, ClientWeighting::kSamples, 1).add(bad); };
  EXPECT_THAT([&] { add(reply(7, 1, {1})); }, ThrowsMessage<Error>(HasSubstr("expected an update of 2 numbers from client 7")));
  EXPECT_THAT(
      [&] {
        add(reply(7, 1, {1, std::numeric_limits<float>::quiet_NaN()}));
      },
      ThrowsMessage<Error>(HasSubstr("NaN or infinity from client 7")));
  EXPECT_THAT([&] { add(reply(7, 0, {1, 1})); }, ThrowsMessage<Error>(HasSubstr("positive sample count from client 7")));
  EXPECT_THAT([] { ArrivingMean(2, ClientWeighting::kUniform, 1).take(); }, ThrowsMessage<Error>(HasSubstr("at least one update")));
}

}  // namespace
}  // namespace paretofl
