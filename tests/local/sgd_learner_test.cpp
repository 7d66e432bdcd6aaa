#include "paretofl/local/sgd_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
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
