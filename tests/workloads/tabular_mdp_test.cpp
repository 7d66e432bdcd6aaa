#include "paretofl/workloads/tabular_mdp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/tabular/transition_source.h"
#include "tests/network_interpreter.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

TabularMdpOptions small_tabular_mdp(std::int64_t features = 0) {
  return {.clients = 3, .states = 5, .actions = 3, .objectives = 2, .discount = 0.8, .features = features, .actor_critic = {}};
}

std::vector<float> some_theta(std::size_t size, std::uint64_t seed = 4) {
  Random random({seed}, "theta");
  std::vector<float> theta;
  for (std::size_t i = 0; i < size; ++i) theta.push_back(static_cast<float>(random.normal()));
  return theta;
}

double total(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum;
}

TEST(TabularMdp, ItsNetworkIsTheSoftmaxPolicy) {
  const TabularMdp problem(small_tabular_mdp(), 1);
  const std::vector<float> theta = some_theta(15);
  const auto graph = problem.network();
  ASSERT_TRUE(graph.has_value());
  const auto outputs = NetworkInterpreter(*graph, *problem.layout(), theta).run({{"state", {{5}, {0, 1, 2, 3, 4}}}});
  EXPECT_THAT(outputs.at("policy").values, Pointwise(DoubleNear(1e-12), problem.model(0).softmax_policy(theta)));
}

TEST(TabularMdp, WhatClientsFindThemselvesIsWhatTheServerWouldFind) {
  TabularMdpOptions options = small_tabular_mdp();
  options.heterogeneity = 0.5;
  const TabularMdp problem(options, 1);
  ThreadPool pool(1);
  const std::vector<float> theta = some_theta(15);
  HeldOutFigures all;
  for (int client = 0; client < 3; ++client) all += problem.evaluate_held_out(client, theta, pool);
  EXPECT_THAT(all.means().at("return"),
              Pointwise(DoubleNear(1e-12), problem.evaluate(theta, Split::kTest, pool).per_objective.at("return")));
}

TEST(TabularMdp, RewardCorrelationIsTheCorrelationOfTheRewards) {
  TabularMdpOptions options = small_tabular_mdp();
  options.states = 60;
  options.actions = 20;
  for (const double rho : {0.0, 0.5, 0.95, 1.0}) {
    options.reward_correlation = rho;
    const TabularMdp problem(options, 1);
    const std::span<const double> rewards = problem.model(0).rewards();
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>> table(rewards.data(), 1200, 2);
    EXPECT_GE(table.minCoeff(), 0);
    EXPECT_LE(table.maxCoeff(), 1);
    const auto centred = (table.rowwise() - table.colwise().mean()).eval();
    const double correlation = centred.col(0).dot(centred.col(1)) / (centred.col(0).norm() * centred.col(1).norm());
    EXPECT_NEAR(correlation, rho, 0.06) << rho;  // two standard errors at 0
  }
}

TEST(TabularMdp, FullyCorrelatedRewardsHaveParallelGradients) {
  TabularMdpOptions options = small_tabular_mdp();
  options.reward_correlation = 1;
  const TabularMdp problem(options, 1);
  const TabularModel& model = problem.model(0);
  const std::vector<double> gradients = model.return_gradients(model.softmax_policy(some_theta(15)));
  EXPECT_THAT(std::span(gradients).first(15), Pointwise(DoubleNear(1e-15), std::span(gradients).last(15)));
}

TEST(TabularModel, GradientsAreTheReturnsFiniteDifferences) {
  const TabularMdp problem(small_tabular_mdp(), 1);
  const TabularModel& model = problem.model(0);
  const std::vector<float> theta = some_theta(15);
  const std::vector<double> gradients = model.return_gradients(model.softmax_policy(theta));
  const auto returns = [&](std::size_t i, float step) {
    std::vector<float> moved = theta;
    moved[i] += step;
    return model.returns(model.softmax_policy(moved));
  };
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const float step = 1.0F / 512;
    const double width = double{theta[i] + step} - double{theta[i] - step};
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(gradients[k * 15 + i], (returns(i, step)[k] - returns(i, -step)[k]) / width, 1e-6) << i;
    }
  }
}

TEST(TabularModel, ReturnsAreMeanRewardsUnderTheVisitation) {
  const TabularMdp problem(small_tabular_mdp(), 2);
  const TabularModel& model = problem.model(0);
  const std::vector<double> policy = model.softmax_policy(some_theta(15));
  const std::vector<double> visits = model.visitation(policy);
  EXPECT_NEAR(total(visits), 1, 1e-12);
  EXPECT_NEAR(total(model.stationary(policy)), 1, 1e-12);
  for (std::size_t k = 0; k < 2; ++k) {
    double mean = 0;
    for (std::size_t i = 0; i < 15; ++i) mean += visits[i / 3] * policy[i] * model.reward(i / 3, i % 3, k);
    EXPECT_NEAR(model.returns(policy)[k], mean, 1e-12);
  }
}

// Along chains, long runs visit states as the exact distributions say.
TEST(TransitionSource, ChainsHaveTheExactDistributions) {
  const TabularMdp problem(small_tabular_mdp(), 3);
  const TabularModel& model = problem.model(0);
  const std::vector<double> policy = model.softmax_policy(some_theta(15));
  const auto frequencies = [&](double restart, std::vector<double> distribution) {
    TransitionSource source(model, policy, 0, restart, std::move(distribution));
    Random random({5}, "chain");
    std::vector<double> seen(5);
    for (int i = 0; i < 200000; ++i) seen[source.draw(random).state] += 1.0 / 200000;
    return seen;
  };
  const auto visits = model.visitation(policy);
  EXPECT_THAT(frequencies(0, {}), Pointwise(DoubleNear(0.01), model.stationary(policy)));
  EXPECT_THAT(frequencies(1 - model.discount(), {}), Pointwise(DoubleNear(0.01), visits));
  EXPECT_THAT(frequencies(0, visits), Pointwise(DoubleNear(0.005), visits));
  EXPECT_THAT(visits, testing::Not(Pointwise(DoubleNear(0.02), model.stationary(policy))));
}

// With the exact values, the mean over many TD errors is the gradient of the loss -J.
TEST(TdPolicyGradient, IsUnbiasedWithTheExactValues) {
  const TabularMdp problem(small_tabular_mdp(), 6);
  const TabularModel& model = problem.model(0);
  const std::vector<float> theta = some_theta(15);
  const std::vector<double> policy = model.softmax_policy(theta);
  const std::vector<double> exact = model.return_gradients(policy);
  for (const bool independent : {true, false}) {
    TransitionSource source(model, policy, 0, 1 - model.discount(), independent ? model.visitation(policy) : std::vector<double>{});
    Random random({7}, "batch");
    std::vector<double> losses(2);
    std::vector<float> rows(30);
    td_policy_gradient(model, policy, model.values(policy), 400000, source, random, losses, rows);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(rows[i], -exact[i], 2e-3) << i;
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(losses[k], -model.returns(policy)[k], 5e-3);
  }
  EXPECT_GT(*std::max_element(exact.begin(), exact.end()), 0.02);
}

// w* solves E_d[phi(s) (r + gamma phi(s')^T w - phi(s)^T w)] = 0.
std::vector<double> fixed_point(const TabularMdp& problem, const std::vector<double>& policy, std::size_t objective) {
  const TabularModel& model = problem.model(0);
  const std::vector<double> distribution = model.stationary(policy);
  const auto n = static_cast<Eigen::Index>(problem.features().size() / model.states());
  const auto phi = [&](std::size_t s) {
    return Eigen::Map<const Eigen::VectorXd>(&problem.features()[s * static_cast<std::size_t>(n)], n);
  };
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  Random random({11}, "count");
  constexpr int kDraws = 400000;
  TransitionSource source(model, policy, 0, 0, distribution);
  for (int i = 0; i < kDraws; ++i) {
    const StateTransition at = source.draw(random);
    a += phi(at.state) * (model.discount() * phi(at.next) - phi(at.state)).transpose() / kDraws;
    b += phi(at.state) * model.reward(at.state, at.action, objective) / kDraws;
  }
  const Eigen::VectorXd w = a.partialPivLu().solve(-b);
  return {w.data(), w.data() + n};
}

std::vector<double> trained_critic(const TabularMdp& problem, const std::vector<float>& theta, int rounds) {
  const auto steps = problem.objective_steps(0, {});
  std::vector<double> losses(2);
  std::vector<float> rows(30);
  for (int round = 1; round <= rounds; ++round) {
    steps->start_round({1, static_cast<std::uint32_t>(round), 0});
    steps->jacobian(0, theta, losses, rows);
  }
  Record state;
  steps->save(state);
  const auto critic = state.array("critic").doubles();
  return {critic.begin(), critic.end()};
}

TEST(TabularActorCritic, TheCriticFindsTheFixedPointOfItsFeatures) {
  const std::vector<float> theta = some_theta(15);
  for (const std::int64_t features : {0, 3}) {
    for (const char* sampling : {"markov", "independent"}) {
      TabularMdpOptions options = small_tabular_mdp(features);
      options.actor_critic = {.critic_iterations = 200, .critic_batch_size = 1000, .critic_lr = 1, .sampling = sampling};
      const TabularMdp problem(options, 1);
      const std::vector<double> policy = problem.model(0).softmax_policy(theta);
      const std::vector<double> critic = trained_critic(problem, theta, 2);
      for (std::size_t k = 0; k < 2; ++k) {
        const auto expected = fixed_point(problem, policy, k);
        EXPECT_THAT(std::span(critic).subspan(k * expected.size(), expected.size()), Pointwise(DoubleNear(0.1), expected)) << features;
      }
      if (features > 0) continue;
      const std::vector<double> values = problem.model(0).values(policy);  // one-hot features miss nothing
      for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(critic[i % 2 * 5 + i / 2], values[i], 0.1) << i;
    }
  }
}

TEST(TabularActorCritic, TheCriticStaysInItsBall) {
  const TabularMdp problem(small_tabular_mdp(), 1);
  TabularActorCritic steps({.critic_iterations = 100, .critic_lr = 2, .sampling = "markov"}, problem.model(0), problem.features(), 0.3,
                           problem.layout());
  steps.start_round({1, 1, 0});
  std::vector<double> losses(2);
  std::vector<float> rows(30);
  steps.jacobian(0, some_theta(15), losses, rows);
  Record state;
  steps.save(state);
  const auto critic = state.array("critic").doubles();
  for (std::size_t k = 0; k < 2; ++k) {
    double square = 0;
    for (const double x : critic.subspan(k * 5, 5)) square += x * x;
    EXPECT_NEAR(std::sqrt(square), 0.3, 1e-12);
  }
}

TEST(TabularActorCritic, FindsACriticThatDiverges) {
  TabularMdpOptions options = small_tabular_mdp();
  options.actor_critic = {.critic_iterations = 2000, .critic_lr = 1e300};
  const TabularMdp problem(options, 1);
  EXPECT_THROW(trained_critic(problem, some_theta(15), 1), Error);
}

TEST(TabularActorCritic, RejectsAStateOfAnotherProblem) {
  const TabularMdp problem(small_tabular_mdp(), 1);
  const auto steps = problem.objective_steps(0, {});
  Record state;
  steps->save(state);
  const auto rejects = [&](std::vector<std::int64_t> chains) {
    state.arrays.insert_or_assign("chains", Array(std::span<const std::int64_t>(chains)));
    EXPECT_THROW(steps->load(state), Error);
  };
  rejects({0, 5});
  rejects({-2, 0});
  rejects({-1, 0});
  rejects({0});
  Record other;
  TabularMdp(small_tabular_mdp(3), 1).objective_steps(0, {})->save(other);
  EXPECT_THROW(steps->load(other), Error);
}

// The radius bounds every policy's fixed point, as the projection needs it (Assumption 2).
TEST(TabularMdp, TheRadiusHoldsEveryValueFunction) {
  const TabularMdp problem(small_tabular_mdp(), 1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<float> theta = some_theta(15, seed);
    for (float& x : theta) x *= 20;
    double square = 0;
    for (const double x : problem.model(0).values(problem.model(0).softmax_policy(theta))) square += x * x;
    EXPECT_LT(std::sqrt(square), problem.critic_radius());
  }
}

TEST(TabularMdp, EvaluatesTheClientsMeanReturn) {
  TabularMdpOptions options = small_tabular_mdp();
  options.heterogeneity = 0.7;
  const TabularMdp problem(options, 1);
  const std::vector<float> theta = some_theta(15);
  ThreadPool pool(1);
  const Evaluation evaluation = problem.evaluate(theta, Split::kTest, pool);
  std::vector<double> mean(2);
  std::vector<double> gradients(30);
  for (int c = 0; c < 3; ++c) {
    const std::vector<double> policy = problem.model(c).softmax_policy(theta);
    for (std::size_t k = 0; k < 2; ++k) mean[k] += problem.model(c).returns(policy)[k] / 3;
    const auto own = problem.model(c).return_gradients(policy);
    for (std::size_t i = 0; i < 30; ++i) gradients[i] += own[i] / 3;
  }
  EXPECT_THAT(evaluation.per_objective.at("return"), Pointwise(DoubleNear(1e-12), mean));
  double product = 0;
  for (std::size_t i = 0; i < 15; ++i) product += gradients[i] * gradients[15 + i];
  EXPECT_NEAR(evaluation.gramian[1], product, 1e-6);
  EXPECT_LE(evaluation.overall.at("stationarity"), std::min(evaluation.gramian[0], evaluation.gramian[3]) + 1e-12);
  EXPECT_NE(problem.model(0).returns(problem.model(0).softmax_policy(theta)),
            problem.model(1).returns(problem.model(1).softmax_policy(theta)));
}

TEST(TabularMdp, RejectsMoreFeaturesThanStates) { EXPECT_THROW(TabularMdp(small_tabular_mdp(6), 1), Error); }

}  // namespace
}  // namespace paretofl
