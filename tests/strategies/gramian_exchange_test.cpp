#include "paretofl/rounds/gramian_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/compressors/exact.h"
#include "paretofl/compressors/randomized_svd.h"
#include "paretofl/compressors/top_k.h"
#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

constexpr std::size_t kObjectives = 3;
constexpr std::size_t kDimension = 120;

/// Clients in this process; those in `silent` fail the second exchange.
class LocalRuntime : public Runtime {
 public:
  LocalRuntime(const Workload& workload, const std::shared_ptr<const Compressor>& compressor, std::vector<int> silent)
      : workload_(workload), silent_(std::move(silent)) {
    for (int i = 0; i < workload.num_clients(); ++i) clients_.emplace_back(compressor, JacobianSampling{.shared_minibatch = true});
  }

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits&) override {
    Exchange result;
    for (const Envelope& envelope : envelopes) {
      const auto oracle = workload_.oracle(envelope.client);
      GramianClient& client = clients_[static_cast<std::size_t>(envelope.client)];
      Reply reply;
      if (envelope.request.verb == "sketch_jacobian") {
        reply = client.sketch(*oracle, envelope.request, envelope.stream());
      } else if (std::find(silent_.begin(), silent_.end(), envelope.client) != silent_.end()) {
        reply.error = "gone";
      } else {
        reply = client.correct(*oracle, envelope.request);
      }
      reply.client = envelope.client;
      if (on_reply) on_reply(reply);
      result.replies.push_back(std::move(reply));
    }
    return result;
  }

 private:
  const Workload& workload_;
  std::vector<int> silent_;
  std::vector<GramianClient> clients_;
};

Quadratics problem() {
  return Quadratics({.clients = 6, .objectives = kObjectives, .dimension = kDimension, .heterogeneity = 1, .gradient_noise = 0.5}, 11);
}

GramianEstimate estimate(const Quadratics& workload, const std::shared_ptr<const Compressor>& compressor, std::vector<int> silent = {}) {
  LocalRuntime runtime(workload, compressor, std::move(silent));
  Round round(runtime, {.seed = 3, .num_clients = workload.num_clients()}, 1);
  const GramianServer server(compressor, kObjectives, kDimension);
  return server.estimate(round, round.sample_clients(6), workload.initial_parameters());
}

/// The Gramian of the mean of the same stochastic jacobians, of the given clients.
Gramian truth(const Quadratics& workload, const std::vector<int>& clients) {
  std::vector<float> mean(kObjectives * kDimension);
  for (const int client : clients) {
    const Random stream({3, 1, static_cast<std::uint32_t>(client)}, "jacobian");
    const auto sampled = sample_jacobian(*workload.oracle(client), workload.initial_parameters().values(), true, stream);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += sampled.rows[i] / static_cast<float>(clients.size());
  }
  return gramian_of_rows(mean, kObjectives);
}

double relative_error(const Gramian& exact, const Gramian& estimate) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < exact.values().size(); ++i) {
    difference += std::pow(exact.values()[i] - estimate.values()[i], 2);
    norm += std::pow(exact.values()[i], 2);
  }
  return std::sqrt(difference / norm);
}

std::shared_ptr<const Compressor> svd(bool two_way, double budget) {
  return std::make_shared<RandomizedSvdCompressor>(RandomizedSvdOptions{.two_way = two_way, .budget = budget});
}

const std::vector<int> kEveryone{0, 1, 2, 3, 4, 5};

TEST(GramianExchange, IsExactWithoutLoss) {
  const Quadratics workload = problem();
  const Gramian exact = truth(workload, kEveryone);
  EXPECT_LT(relative_error(exact, estimate(workload, std::make_shared<ExactCompressor>()).gramian), 1e-5);
  for (const bool two_way : {false, true}) {
    EXPECT_LT(relative_error(exact, estimate(workload, svd(two_way, 10)).gramian), 1e-5) << two_way;
  }
}

TEST(GramianExchange, ErrorFallsWithTheBudgetAndTheCorrectionHelps) {
  const Quadratics workload = problem();
  const Gramian exact = truth(workload, kEveryone);
  double previous = 1;
  for (const double budget : {0.5, 1.0, 2.0, 3.0}) {
    const double one_way = relative_error(exact, estimate(workload, svd(false, budget)).gramian);
    const double two_way = relative_error(exact, estimate(workload, svd(true, budget)).gramian);
    EXPECT_LT(two_way, one_way) << budget;
    EXPECT_LT(one_way, previous) << budget;
    previous = one_way;
  }
}

TEST(GramianExchange, TheCorrectionKeepsOwnGramsExact) {
  // With one client, two-way leaves no error at all: H~^T H~ is sent exactly and h = H up to its sketch.
  const Quadratics workload({.clients = 1, .objectives = kObjectives, .dimension = kDimension, .gradient_noise = 0.5}, 11);
  const auto compressor = svd(true, 0.5);
  LocalRuntime runtime(workload, compressor, {});
  Round round(runtime, {.seed = 3, .num_clients = 1}, 1);
  const auto result =
      GramianServer(compressor, kObjectives, kDimension).estimate(round, round.sample_clients(1), workload.initial_parameters());
  EXPECT_LT(relative_error(truth(workload, {0}), result.gramian), 1e-4);
}

TEST(GramianExchange, ThoseWhoFallSilentLeaveTheEstimate) {
  const Quadratics workload = problem();
  const GramianEstimate result = estimate(workload, svd(true, 10), {1, 4});
  EXPECT_THAT(result.cohort.clients, testing::ElementsAre(0, 2, 3, 5));
  EXPECT_LT(relative_error(truth(workload, {0, 2, 3, 5}), result.gramian), 1e-4);
}

TEST(GramianExchange, WhenSomeFallSilentTheOthersResidualsCountForThemselves) {
  // Of m equal clients, G~ - G = (1 - 1/m) R^T R: fewer have less of it.
  const Quadratics workload({.clients = 6, .objectives = kObjectives, .dimension = kDimension, .heterogeneity = 0, .gradient_noise = 0},
                            11);
  const auto compressor = std::make_shared<TopKCompressor>(TopKOptions{.two_way = true, .budget = 1});
  const Gramian exact = truth(workload, kEveryone);
  double previous = relative_error(exact, estimate(workload, compressor).gramian);
  EXPECT_GT(previous, 0.01) << "lossy";
  for (const std::vector<int>& silent : {std::vector<int>{4}, {1, 4}, {0, 1, 4}}) {
    const double error = relative_error(exact, estimate(workload, compressor, silent).gramian);
    EXPECT_LT(error, previous) << silent.size();
    previous = error;
  }
}

TEST(GramianExchange, AMeasurementThatNobodyAnswersLeavesTheEstimate) {
  const Quadratics workload = problem();
  const auto compressor = std::make_shared<ExactCompressor>();
  LocalRuntime runtime(workload, compressor, kEveryone);
  Round round(runtime, {.seed = 3, .num_clients = workload.num_clients()}, 1);
  const GramianServer server(compressor, kObjectives, kDimension, true);
  const GramianEstimate result = server.estimate(round, round.sample_clients(6), workload.initial_parameters());
  EXPECT_FALSE(result.error.has_value());
  EXPECT_EQ(result.cohort.clients, kEveryone);
}

TEST(GramianExchange, GradientsThatAreNotFiniteAreTheClientsFailure) {
  const Quadratics workload({.clients = 6, .objectives = kObjectives, .dimension = kDimension, .gradient_noise = 1e300}, 11);
  GramianClient client(std::make_shared<ExactCompressor>(), {.shared_minibatch = true});
  const std::vector<float> theta(kDimension, 1);
  EXPECT_THAT(
      [&] {
        client.sketch(*workload.oracle(0), Request("sketch_jacobian").with(theta), {1, 1, 0});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("sketch_jacobian: expected finite losses and gradients")));
}

TEST(GramianExchange, TheJacobianIsThereOnceAndInItsRoundOnly) {
  const Quadratics workload = problem();
  const auto oracle = workload.oracle(0);
  for (const bool recompute : {false, true}) {
    GramianClient client(std::make_shared<ExactCompressor>(), {.shared_minibatch = true, .recompute = recompute});
    EXPECT_ANY_THROW(client.take(*oracle, 1));
    Request request = Request("sketch_jacobian").with(workload.initial_parameters());
    request.round = 4;
    client.sketch(*oracle, request, {1, 4, 0});
    EXPECT_ANY_THROW(client.take(*oracle, 5));
    EXPECT_EQ(client.take(*oracle, 4).rows.size(), kObjectives * kDimension);
    EXPECT_ANY_THROW(client.take(*oracle, 4));
    client.sketch(*oracle, request, {1, 4, 0});
    client.end_round();
    EXPECT_ANY_THROW(client.take(*oracle, 4));
  }
}

TEST(GramianExchange, AJacobianThatIsComputedAgainIsTheSame) {
  const Quadratics workload = problem();
  const auto oracle = workload.oracle(0);
  const auto answers = [&](bool shared_minibatch, bool recompute) {
    GramianClient client(std::make_shared<TopKCompressor>(TopKOptions{}), {.shared_minibatch = shared_minibatch, .recompute = recompute});
    Request request = Request("sketch_jacobian").with(workload.initial_parameters());
    request.round = 4;
    const Reply sketch = client.sketch(*oracle, request, {3, 4, 0});
    request = Request("correct_gramian");
    request.round = 4;
    request.extra = sketch.extra;
    const Reply corrected = client.correct(*oracle, request);
    const Reply sent = client.send(*oracle, request);
    return std::tuple(sketch.losses, sketch.extra, corrected.extra, sent.extra, client.take(*oracle, 4).rows);
  };
  EXPECT_EQ(answers(true, true), answers(true, false));
  EXPECT_EQ(answers(false, true), answers(false, false));
  EXPECT_NE(answers(true, true), answers(false, true));
}

}  // namespace
}  // namespace paretofl
