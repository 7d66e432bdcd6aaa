#include "paretofl/local/partial_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/local/local_training.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const Quadratics& noisy_quadratics() {
  static const Quadratics kProblem({.clients = 4, .objectives = 3, .gradient_noise = 0.3}, 7);
  return kProblem;
}

TEST(PartialOracle, ScalesItsObjectivesAndLeavesOutTheOthers) {
  const std::vector<double> factors{2, 0, 1};
  const PartialOracle partial(noisy_quadratics().oracle(1), factors);
  const Parameters theta = noisy_quadratics().initial_parameters();
  const std::size_t d = theta.size();
  const Draw draw{Random({9, 1, 1}, "train"), 2};
  std::vector<double> losses(3), whole_losses(3);
  std::vector<float> rows(3 * d), whole(3 * d);
  partial.jacobian(theta.values(), draw, losses, rows);
  noisy_quadratics().oracle(1)->jacobian(theta.values(), draw, whole_losses, whole);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(losses[k], factors[k] * whole_losses[k]);
    for (std::size_t i = 0; i < d; ++i) ASSERT_EQ(rows[k * d + i], static_cast<float>(factors[k]) * whole[k * d + i]);
  }

  const std::vector<double> lambda{0.25, 0.5, 0.25};
  std::vector<float> gradient(d);
  partial.weighted_gradient(theta.values(), lambda, draw, losses, gradient);
  for (std::size_t i = 0; i < d; ++i) ASSERT_NEAR(gradient[i], 0.25 * rows[i] + 0.25 * rows[2 * d + i], 1e-5);
  EXPECT_EQ(losses[1], 0);

  EXPECT_EQ(partial.objective_gradient(theta.values(), 1, draw, gradient), 0);
  EXPECT_THAT(gradient, testing::Each(0.0F));
  EXPECT_EQ(partial.objective_gradient(theta.values(), 0, draw, gradient), losses[0]);
  for (std::size_t i = 0; i < d; ++i) ASSERT_NEAR(gradient[i], rows[i], 1e-6);
}

TEST(PartialOracle, LossesOnAllDataAreScaledLikewise) {
  const std::vector<double> factors{2, 0, 1};
  const PartialOracle partial(noisy_quadratics().oracle(1), factors);
  const Parameters theta = noisy_quadratics().initial_parameters();
  const std::vector<double> whole = noisy_quadratics().oracle(1)->local_losses(theta.values());
  EXPECT_THAT(partial.local_losses(theta.values()), ElementsAre(2 * whole[0], 0, whole[2]));
}

TEST(PartialOracle, AWholeUpdateCountsTimesTheFactorNotEachStep) {
  for (const char* optimizer : {"sgd", "adam"}) {
    const LocalTrainingOptions options{.local_steps = 6, .client_lr = 0.05, .optimizer = optimizer};
    const Parameters theta = noisy_quadratics().initial_parameters();
    const Random stream({3, 1, 1}, "train");
    const PartialOracle partial(noisy_quadratics().oracle(1), {4, 0, 1});
    const LocalUpdate own = train_on_objective(options, partial, theta.values(), 0, 4, stream);
    const LocalUpdate whole = train_on_objective(options, *noisy_quadratics().oracle(1), theta.values(), 0, 1, stream);
    for (std::size_t i = 0; i < theta.size(); ++i) ASSERT_NEAR(own.update[i], 4 * whole.update[i], 1e-4) << optimizer;
    EXPECT_NEAR(own.losses[0], 4 * whole.losses[0], 1e-6 * own.losses[0]);
    const LocalUpdate none = train_on_objective(options, partial, theta.values(), 1, 0, stream);
    EXPECT_THAT(none.update, testing::Each(0.0F));
  }
}

TEST(PartialOracle, HeldWeightsAddUpAsLambdaDoes) {
  const HeldWeights all = held_weights(std::vector<double>{0.2, 0.8}, {});
  EXPECT_THAT(all.weights, ElementsAre(0.2, 0.8));
  EXPECT_EQ(all.scale, 1);
  const HeldWeights one = held_weights(std::vector<double>{0.2, 0.8}, std::vector<double>{4, 0});
  EXPECT_DOUBLE_EQ(one.scale, 0.8);                                                        // lambda_0 n / n_0
  EXPECT_DOUBLE_EQ(one.weights[0] * 4, 1);                                                 // PartialOracle multiplies by 4
  EXPECT_EQ(held_weights(std::vector<double>{0, 1}, std::vector<double>{4, 0}).scale, 1);  // nothing to train on
}

/// Quadratics of which each client has one objective, k = client mod M.
class Divided : public Quadratics {
 public:
  using Quadratics::Quadratics;
  std::unique_ptr<GradientOracle> oracle(int client) const override {
    return std::make_unique<PartialOracle>(Quadratics::oracle(client), objective_factors(client));
  }
  std::vector<double> objective_factors(int client) const override {
    std::vector<double> factors(num_objectives());
    factors[static_cast<std::size_t>(client) % num_objectives()] = static_cast<double>(num_objectives());
    return factors;
  }
};

TEST(PartialOracle, StepsHeedLambdaWhereClientsHaveOneObjectiveEach) {
  const Divided workload({.clients = 2, .objectives = 2, .gradient_noise = 0}, 7);
  const Parameters start = workload.initial_parameters();
  const auto gradient_of = [&](int client) {
    std::vector<float> gradient(start.size());
    workload.oracle(client)->objective_gradient(start.values(), static_cast<std::size_t>(client), {Random({1, 1, 1}, "any"), 0}, gradient);
    return gradient;
  };
  const auto first = gradient_of(0), second = gradient_of(1);
  for (const auto& [strategy, optimizer] : {std::pair{"fedavg", "adam"}, {"fedavg", "sgd"}, {"fedcmoo", "sgd"}}) {
    const std::string name = strategy;
    const bool adam = std::string(optimizer) == "adam";
    std::map<std::string, Settings::Value> values{{"cohort_size", std::int64_t{2}},
                                                  {"local_steps", std::int64_t{1}},
                                                  {"client_lr", 0.01},
                                                  {"optimizer", std::string(optimizer)},
                                                  {"client_weighting", std::string("uniform")}};
    std::map<std::string, std::string> components;
    if (name == "fedavg") {
      values.emplace("objective_weights", std::vector<double>{0.9, 0.1});
    } else {
      values.emplace("preference", std::vector<double>{0.9, 0.1});
      values.emplace("server_lr", 1.0);
      components = {{"solver", "linear"}, {"compressor", "exact"}};
    }
    Simulation simulation(strategy_named(name, workload, values, components), workload);
    const double step = simulation.run(1, 1)[0] - start.values()[0];
    // One step of Adam is the rate times the sign, that of SGD the rate times the gradient, which the oracle multiplies by n / n_k; client
    // k's counts lambda_k n / n_k in a mean over two clients.
    const auto step_of = [&](float gradient) { return adam ? (gradient > 0 ? 1 : -1) : 0.5 * gradient; };
    EXPECT_NEAR(step, -0.01 * (0.9 * step_of(first[0]) + 0.1 * step_of(second[0])), 1e-4) << name << optimizer;
  }
}

TEST(PartialOracle, FactorsMakeTheMeanOverAllOneOverThoseWhoHaveIt) {
  EXPECT_THAT(objective_factors({{true, false}, {true, true}, {true, false}, {true, true}}),
              ElementsAre(ElementsAre(1, 0), ElementsAre(1, 2), ElementsAre(1, 0), ElementsAre(1, 2)));
  EXPECT_THAT([] { objective_factors({{true, true}, {false, false}}); }, ThrowsMessage<Error>(HasSubstr("client 1")));
  EXPECT_THAT([] { objective_factors({{true, false}, {true, false}}); }, ThrowsMessage<Error>(HasSubstr("objective 1")));
  EXPECT_THAT([] { PartialOracle(noisy_quadratics().oracle(0), {1, 1}); }, ThrowsMessage<Error>(HasSubstr("expected 3 factors, found 2")));
}

}  // namespace
}  // namespace paretofl
