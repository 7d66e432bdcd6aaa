#include "paretofl/strategies/fedmoa_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/privacy/plain_summation.h"
#include "paretofl/strategies/fedmoa_messages.h"

namespace paretofl {
namespace {

const std::vector<std::string> kRewardNames{"answer", "tests", "format", "length"};
constexpr double kEpsilon = 1e-6;

/// Clients of two tasks with rewards of their own.
const std::vector<RewardReport> kReports{
    {"answer", "answer", {{"answer", 0.3}, {"format", 0.7}}, 10},
    {"tests", "tests", {{"tests", 0.5}, {"format", 0.2}, {"length", 0.3}}, 20},
    {"answer", "answer", {{"answer", 0.25}, {"format", 0.5}, {"length", 0.25}}, 30},
    {"tests", "tests", {{"tests", 0.4}, {"format", 0.3}, {"length", 0.3}}, 25},
    {"answer", "answer", {{"answer", 0.2}, {"format", 0.8}}, 5},
};

std::vector<float> update_of(std::size_t client) {
  return {static_cast<float>(client) - 1.5F, 2.0F * static_cast<float>(client * client), 1};
}

class TaskClients : public Runtime {
 public:
  explicit TaskClients(std::vector<RewardReport> reports) : reports_(std::move(reports)) {
    for (std::size_t i = 0; i < reports_.size(); ++i) answers_.emplace_back(kRewardNames, kEpsilon);
  }
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits&) override {
    Exchange exchange;
    for (const Envelope& envelope : envelopes) {
      const auto client = static_cast<std::size_t>(envelope.client);
      Reply reply = answer(client, envelope.request);
      reply.client = envelope.client;
      if (silent.contains({envelope.request.verb, envelope.client})) {
        reply = {};
        reply.client = envelope.client;
        reply.error = "gone";
      } else if (on_reply) {
        on_reply(reply);
      }
      exchange.replies.push_back(std::move(reply));
    }
    return exchange;
  }
  std::set<std::pair<std::string, int>> silent;

 private:
  Reply answer(std::size_t client, const Request& request) {
    if (request.verb == fedmoa::kRefine) return answers_[client].refine(request);
    if (request.verb == fedmoa::kWeigh) return answers_[client].weigh(request);
    if (request.verb == fedmoa::kShare) return answers_[client].share(request);
    Reply reply;
    reply.num_samples = reports_[client].num_samples;
    reply.update = update_of(client);
    Record& rewards = reply.extra.records[fedmoa::kReward];
    for (const auto& [name, weight] : reports_[client].weights) rewards.scalars.emplace(name, weight + 1);
    return answers_[client].trained(std::move(reply), reports_[client], request, by_accuracy);
  }

  std::vector<RewardReport> reports_;
  std::vector<fedmoa::SummedAnswers> answers_;

 public:
  bool by_accuracy = true;
};

struct SummedTasks {
  explicit SummedTasks(std::vector<RewardReport> reports = kReports) : clients(reports.size()), runtime(std::move(reports)) {}
  fedmoa::SummedRound run() {
    ReleaseOptions unclipped;
    Releases releases(unclipped, FixedPoint(32, clients), {}, {});
    PlainSummation summation(releases);
    Round round(runtime, {.seed = 1, .num_clients = static_cast<int>(clients), .min_reply_fraction = 0.1, .summation = &summation}, 1);
    return fedmoa::sum_round(round, round.sample_clients(clients), Request("train"), kRewardNames, 3, kEpsilon, runtime.by_accuracy);
  }
  std::size_t clients;
  TaskClients runtime;
};

void expect_round_of(const fedmoa::SummedRound& found, const std::vector<std::size_t>& clients) {
  std::vector<RewardReport> reports;
  for (const std::size_t client : clients) reports.push_back(kReports[client]);
  const TaskClusters expected = task_clusters(reports, kEpsilon);
  std::vector<double> update(3);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) update[j] += expected.shares[i] * update_of(clients[i])[j];
  }
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found.update[j], update[j], 1e-6) << j;
  ASSERT_EQ(found.weights.size(), expected.weights.size());
  for (const auto& [cluster, weights] : expected.weights) {
    const NamedWeights& of_cluster = found.weights.at(cluster);
    ASSERT_EQ(of_cluster.size(), weights.size()) << cluster;
    for (const auto& [name, weight] : weights) EXPECT_NEAR(of_cluster.at(name), weight, 1e-7) << cluster << " " << name;
  }
}

TEST(FedMoaSums, AreTheClustersOfSingleReports) { expect_round_of(SummedTasks().run(), {0, 1, 2, 3, 4}); }

TEST(FedMoaSums, AreThoseOfTheClientsThatStay) {
  SummedTasks tasks;
  tasks.runtime.silent = {{"train", 2}, {fedmoa::kWeigh, 3}};
  expect_round_of(tasks.run(), {0, 1, 4});
}

TEST(FedMoaSums, SharesSumToOneWithoutThoseWhoLeaveAtTheEnd) {
  SummedTasks tasks;
  tasks.runtime.silent = {{fedmoa::kShare, 1}, {fedmoa::kShare, 3}};
  EXPECT_NEAR(tasks.run().update[2], 1, 1e-6);  // every client's third number is 1
}

TEST(FedMoaSums, CountByExamplesWithoutAccuracy) {
  SummedTasks tasks;
  tasks.runtime.by_accuracy = false;
  const fedmoa::SummedRound found = tasks.run();
  double first = 0;
  for (std::size_t i = 0; i < kReports.size(); ++i) first += kReports[i].num_samples / 90 * update_of(i)[0];
  EXPECT_NEAR(found.update[0], first, 1e-6);
  EXPECT_TRUE(found.weights.empty());
}

TEST(FedMoaSums, RecordWhatClientsHave) {
  const fedmoa::SummedRound found = SummedTasks().run();
  EXPECT_NEAR(std::get<double>(found.metrics.values().at("reward_tests")), 1.45, 1e-7);
  const auto& lambda = std::get<std::vector<double>>(found.metrics.values().at("lambda"));
  EXPECT_NEAR(lambda[0], (0.3 + 0.25 + 0.2) / 5, 1e-7);
  EXPECT_NEAR(lambda[3], (0.3 + 0.25 + 0.3) / 5, 1e-7);
}

/// 1 / (w + epsilon) from 1 to 10^6: within a cluster only the largest may count.
TEST(FedMoaSums, WeightsMayBeFarApart) {
  Random random({.seed = 1}, "weights");
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<RewardReport> reports = kReports;
    for (RewardReport& report : reports) {
      double& accuracy = report.weights.at(report.accuracy);
      accuracy = trial % 4 == 0 && random.uniform() < 0.5 ? 0 : std::pow(10, -7 * random.uniform());
      report.weights.at("format") = 1 - accuracy;
      report.weights.erase("length");
    }
    const TaskClusters expected = task_clusters(reports, kEpsilon);
    const fedmoa::SummedRound found = SummedTasks(reports).run();
    for (std::size_t j = 0; j < 3; ++j) {
      double update = 0;
      for (std::size_t i = 0; i < reports.size(); ++i) update += expected.shares[i] * update_of(i)[j];
      EXPECT_NEAR(found.update[j], update, 1e-5);
    }
  }
}

TEST(FedMoaSums, FollowOnTraining) {
  fedmoa::SummedAnswers answers(kRewardNames, kEpsilon);
  EXPECT_THROW(answers.weigh(Request(fedmoa::kWeigh)), Error);
  EXPECT_THROW(answers.share(Request(fedmoa::kShare)), Error);
}

}  // namespace
}  // namespace paretofl
