#include "paretofl/local/sgd_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/local/partial_oracle.h"
#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

Quadratics shared_problem() { return {{.clients = 2, .objectives = 3, .heterogeneity = 0, .gradient_noise = 0}, 4}; }

TEST(SgdLearner, FindsTheParetoPointOfItsPreference) {
  const Quadratics quadratics = shared_problem();
  const Preference preference({0.6, 0.3, 0.1}, 3);
  SgdLearner learner({.local_steps = 2000, .client_lr = 0.5}, quadratics.oracle(0), preference);
  Parameters theta = quadratics.initial_parameters();
  const LearnerReport report = learner.train(theta.values(), {1, 1, 0});
  const std::vector<double> expected = quadratics.pareto_point(preference.weights());
  for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(theta.values()[j], expected[j], 1e-4);
  EXPECT_EQ(report.losses.size(), 3U);
  EXPECT_EQ(report.num_samples, 1);
}

TEST(SgdLearner, TheFactorsOfAPartialOracleAreInItsLossesAndNotInItsSteps) {
  const Quadratics quadratics = shared_problem();
  const std::vector<double> factors{4, 0, 2};
  const Preference preference = Preference({0.6, 0.3, 0.2}, 3).over_held(factors);
  SgdLearner some({.local_steps = 5, .client_lr = 0.5}, std::make_unique<PartialOracle>(quadratics.oracle(0), factors), preference,
                  factors);
  SgdLearner all({.local_steps = 5, .client_lr = 0.5}, quadratics.oracle(0), preference);
  Parameters theta = quadratics.initial_parameters();
  Parameters expected = theta;
  const LearnerReport report = some.train(theta.values(), {1, 1, 0});
  const LearnerReport whole = all.train(expected.values(), {1, 1, 0});
  EXPECT_THAT(theta.values(), testing::Pointwise(testing::FloatNear(1e-6F), expected.values()));
  EXPECT_THAT(report.losses,
              testing::ElementsAre(testing::DoubleNear(4 * whole.losses[0], 1e-6), 0, testing::DoubleNear(2 * whole.losses[2], 1e-6)));
}

TEST(SgdLearner, RejectsAPreferenceOverOtherObjectives) {
  const Quadratics quadratics = shared_problem();
  EXPECT_THROW(SgdLearner({}, quadratics.oracle(0), uniform_preference(2)), Error);
}

TEST(SgdLearner, DivergenceIsAnError) {
  const Quadratics quadratics = shared_problem();
  SgdLearner learner({.local_steps = 2000, .client_lr = 1e6}, quadratics.oracle(0), uniform_preference(3));
  Parameters theta = quadratics.initial_parameters();
  EXPECT_THROW(learner.train(theta.values(), {1, 1, 0}), Error);
}

}  // namespace
}  // namespace paretofl
