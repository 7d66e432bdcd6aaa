#include "paretofl/strategies/stimulus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/gramian.h"
#include "paretofl/solvers/min_norm.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"
#include "tests/strategies/finite_quadratics.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

Strategy stimulus(const Workload& workload, Values values = {}) {
  values.emplace("cohort_size", std::int64_t{workload.num_clients()});
  return strategy_named("stimulus", workload, std::move(values));
}

/// MGDA with a heavy ball on the exact gradients.
std::vector<float> mgda(const Quadratics& problem, int rounds, float rate, float momentum) {
  const auto initial = problem.initial_parameters();
  std::vector<float> x(initial.values().begin(), initial.values().end());
  std::vector<float> before = x;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<float> jacobian = problem.exact_jacobian(x);
    const std::vector<double> lambda =
        MinNorm({}).solve({.gramian = gramian_of_rows(jacobian, problem.num_objectives())}).objective_weights;
    const std::vector<float> direction = weighted_rows(jacobian, lambda);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float next = x[i] + momentum * (x[i] - before[i]) - rate * direction[i];
      before[i] = x[i];
      x[i] = next;
    }
  }
  return x;
}

TEST(Stimulus, OnExactGradientsIsMgda) {
  const Quadratics problem({.clients = 6, .objectives = 3, .gradient_noise = 0}, 7);
  for (const double momentum : {0.0, 0.5}) {
    for (const std::int64_t every : {1, 4, 100}) {
      Simulation simulation(stimulus(problem, {{"server_lr", 0.2}, {"momentum", momentum}, {"restart_every", every}}), problem);
      EXPECT_THAT(simulation.run(1, 12),
                  testing::Pointwise(testing::FloatNear(1e-4F), mgda(problem, 12, 0.2F, static_cast<float>(momentum))))
          << momentum << " " << every;
    }
  }
}

/// Stationarity at the end of a run, averaged over seeds.
double end_stationarity(const Quadratics& problem, std::uint32_t rounds, const Values& values) {
  double mean = 0;
  ThreadPool pool(1);
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    Simulation simulation(strategy_named("stimulus", problem, values), problem, {.seed = seed});
    const std::vector<float> theta = simulation.run(1, rounds);
    mean += problem.evaluate(theta, Split::kTest, pool).overall.at("stationarity") / 4;
  }
  return mean;
}

// Of 10 rounds, one takes all 10 samples of a client and the others the gradients of one sample at two points: 2.8 gradients a round. The
// plain method, a restart in every round, gets 3.
TEST(Stimulus, ReachesASmallerStationarityThanThePlainMethodWithAsManySamples) {
  const FiniteQuadratics problem({.clients = 8, .objectives = 2, .heterogeneity = 0.2, .gradient_noise = 0}, 7);
  const auto with = [](std::int64_t every, std::int64_t minibatches) {
    return Values{{"cohort_size", std::int64_t{8}}, {"restart_every", every}, {"restart_minibatches", minibatches}};
  };
  const double reduced = end_stationarity(problem, 100, with(10, 10));
  const double plain = end_stationarity(problem, 100, with(1, 3));
  EXPECT_LT(reduced, 0.1 * plain);
}

TEST(Stimulus, AWholePassIsTheExactGradient) {
  const FiniteQuadratics problem({.clients = 6, .objectives = 2, .gradient_noise = 0}, 7);
  Simulation simulation(stimulus(problem, {{"server_lr", 0.2}, {"restart_every", std::int64_t{1}}}), problem);
  EXPECT_THAT(simulation.run(1, 12), testing::Pointwise(testing::FloatNear(1e-3F), mgda(problem, 12, 0.2F, 0)));
}

/// The requests that a client is sent.
class ListeningRuntime : public Runtime {
 public:
  explicit ListeningRuntime(Runtime& inner) : inner_(inner) {}
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    requests.push_back(envelopes[0].request);
    asked.push_back(envelopes.size());
    return inner_.exchange(envelopes, on_reply, limits);
  }
  std::vector<Request> requests;
  std::vector<std::size_t> asked;

 private:
  Runtime& inner_;
};

TEST(Stimulus, RestartsWithEveryClientAndAdaptiveBatches) {
  const Quadratics problem({.clients = 6, .objectives = 2, .gradient_noise = 0.1}, 7);
  const auto listened = [&](Values values) {
    values.insert({{"cohort_size", std::int64_t{2}}, {"restart_every", std::int64_t{3}}, {"restart_minibatches", std::int64_t{8}}});
    Strategy strategy = strategy_named("stimulus", problem, std::move(values));
    ThreadPool pool(1);
    const auto threads = make_threads_runtime({.threads = 1}, pool, strategy.client);
    ListeningRuntime runtime(*threads);
    Server server(std::move(strategy.server), runtime, {1, 6, 0.5}, problem.initial_parameters());
    for (std::uint32_t round = 1; round <= 7; ++round) server.run_round(round);
    return std::pair(runtime.requests, runtime.asked);
  };
  const auto [requests, asked] = listened({});
  EXPECT_THAT(asked, testing::ElementsAre(6, 2, 2, 6, 2, 2, 6));
  for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(requests[i].verb, i % 3 == 0 ? "send_gradients" : "send_difference");
  for (const std::size_t restart : {0, 3, 6}) EXPECT_EQ(requests[restart].extra.scalar("minibatches"), 8);
  // Gradients are long at first: few minibatches do, but for the first restart, which knows of none.
  const auto [few, asked_few] = listened({{"adaptive_batches", 1e-9}});
  EXPECT_EQ(few[0].extra.scalar("minibatches"), 8);
  EXPECT_EQ(few[3].extra.scalar("minibatches"), 1);
  const auto [many, asked_many] = listened({{"adaptive_batches", 1e9}});
  EXPECT_EQ(many[3].extra.scalar("minibatches"), 8);
}

TEST(Stimulus, ADifferenceIsOnTheMinibatchOfBothPoints) {
  const auto glyphs = small_glyphs();
  const Strategy strategy = strategy_named("stimulus", *glyphs, {{"cohort_size", std::int64_t{4}}});
  const auto client = strategy.client(1);
  const Parameters initial = glyphs->initial_parameters();
  const std::vector<float> theta(initial.values().begin(), initial.values().end());
  Request request = Request("send_difference").with(theta);
  request.extra.arrays.emplace("previous", Array(std::span(theta)));
  EXPECT_THAT(client->handle(request, {1, 1, 1}).update, testing::Each(0));
  request.extra.arrays.insert_or_assign("previous", Array(std::span(theta).first(3)));
  EXPECT_THROW(client->handle(request, {1, 1, 1}), Error);
}

TEST(Stimulus, RefusesASolverThatNeedsTwoSamples) {
  const Quadratics problem({.clients = 6}, 7);
  EXPECT_THAT(
      [&] {
        strategy_named("stimulus", problem, {{"cohort_size", std::int64_t{6}}}, {{"solver", "modo"}});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("stimulus: expected a solver for the gradients of one sample")));
}

}  // namespace
}  // namespace paretofl
