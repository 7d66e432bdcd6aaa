#include "paretofl/privacy/plain_summation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {
namespace {

/// Each client sends its id; what else is up to the test.
class IdRuntime : public Runtime {
 public:
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits&) override {
    Exchange exchange;
    for (const Envelope& envelope : envelopes) {
      Reply reply;
      reply.client = envelope.client;
      reply.update = {static_cast<float>(envelope.client), 1};
      reply.num_samples = 1;
      if (change) change(reply);
      if (on_reply && !reply.error) on_reply(reply);
      exchange.replies.push_back(std::move(reply));
    }
    return exchange;
  }
  std::function<void(Reply&)> change;
};

struct PlainSums {
  explicit PlainSums(const ReleaseOptions& release) : releases(release, FixedPoint(32, 10), {}, Secret().derive("noise")) {
    options.seed = 3;
    options.num_clients = 10;
    options.poisson = release.poisson();
    options.summation = &summation;
  }
  CohortMean sum(std::uint32_t number = 1, std::size_t cohort = 10) {
    Round round(runtime, options, number);
    const Cohort drawn = round.sample_clients(cohort);
    CohortMean mean = round.sum(drawn, Request("train"), {.update = 2});
    failures = round.failures();
    return mean;
  }

  IdRuntime runtime;
  Releases releases;
  PlainSummation summation{releases};
  RoundOptions options;
  std::vector<Failure> failures;
};

ReleaseOptions plainly_clipped(double clip, double noise = 0) {
  ReleaseOptions options;
  options.clip = clip;
  options.noise_multiplier = noise;
  return options;
}

TEST(PlainSummation, IsTheMeanOfClippedReplies) {
  PlainSums sums(plainly_clipped(1e6));
  EXPECT_THAT(sums.sum().update, testing::ElementsAre(4.5, 1));
  PlainSums clipped(plainly_clipped(1));
  double first = 0;
  for (int client = 0; client < 10; ++client) first += client / std::sqrt(client * client + 1.0) / 10;
  EXPECT_NEAR(clipped.sum().update[0], first, 1e-6);
  EXPECT_EQ(clipped.releases.epsilon(), 0);  // no noise, and so no figure
}

TEST(PlainSummation, LeavesOutWhatCannotBeSummed) {
  PlainSums sums(plainly_clipped(1e6));
  sums.runtime.change = [](Reply& reply) {
    if (reply.client == 2) reply.update[0] = std::nanf("");
    if (reply.client == 5) reply.update.push_back(1);
    if (reply.client == 7) reply.error = "gone";
  };
  const CohortMean mean = sums.sum();
  EXPECT_THAT(mean.cohort.clients, testing::ElementsAre(0, 1, 3, 4, 6, 8, 9));
  EXPECT_NEAR(mean.update[0], 31.0 / 7, 1e-6);
  EXPECT_EQ(sums.failures.size(), 3U);
  sums.runtime.change = [](Reply& reply) { reply.update.clear(); };
  EXPECT_THROW(sums.sum(), RoundAbandoned);
}

TEST(PlainSummation, ANoisedMeanIsOverTheExpectedCohort) {
  ReleaseOptions options = plainly_clipped(1, 0.01);
  options.sampling = "poisson";
  PlainSums sums(options);
  sums.runtime.change = [](Reply& reply) { reply.update = {0, 1}; };
  const int rounds = 2000;
  double mean = 0;
  int empty = 0;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const CohortMean found = sums.sum(round, 2);
    EXPECT_EQ(found.weight, 2);
    EXPECT_NEAR(found.update[1], static_cast<double>(found.cohort.size()) / 2, 0.05);
    empty += found.cohort.size() == 0 ? 1 : 0;
    mean += found.update[1] / rounds;
  }
  EXPECT_NEAR(mean, 1, 0.07);
  EXPECT_GT(empty, 100);  // nobody was drawn, and the noise alone was released
  const auto accountant = make_accountant("rdp");
  accountant->add(0.01, CohortSampling::poisson(0.2), rounds);
  EXPECT_DOUBLE_EQ(sums.releases.epsilon(), accountant->epsilon(1e-5));
}

TEST(PlainSummation, NoiseDiffersBetweenSumsAndFollowsFromTheKey) {
  PlainSums one(plainly_clipped(1e3, 1)), same(plainly_clipped(1e3, 1));
  const std::vector<float> first = one.sum(1).update;
  EXPECT_EQ(same.sum(1).update, first);
  EXPECT_NE(one.sum(1).update, first);  // the second sum of the round
  EXPECT_NE(one.sum(2).update, first);
}

}  // namespace
}  // namespace paretofl
