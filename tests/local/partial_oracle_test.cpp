#include "paretofl/local/partial_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"

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

TEST(PartialOracle, FactorsMakeTheMeanOverAllOneOverThoseWhoHaveIt) {
  EXPECT_THAT(objective_factors({{true, false}, {true, true}, {true, false}, {true, true}}),
              ElementsAre(ElementsAre(1, 0), ElementsAre(1, 2), ElementsAre(1, 0), ElementsAre(1, 2)));
  EXPECT_THAT([] { objective_factors({{true, true}, {false, false}}); }, ThrowsMessage<Error>(HasSubstr("client 1")));
  EXPECT_THAT([] { objective_factors({{true, false}, {true, false}}); }, ThrowsMessage<Error>(HasSubstr("objective 1")));
  EXPECT_THAT([] { PartialOracle(noisy_quadratics().oracle(0), {1, 1}); }, ThrowsMessage<Error>(HasSubstr("expected 3 factors, found 2")));
}

}  // namespace
}  // namespace paretofl
