#include "paretofl/solvers/kl_preference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<double> solve_kl_preference(const Gramian& gramian, const std::vector<double>& losses,
                                        const std::vector<double>& preference = {}, KlPreference::Options options = {.weight_floor = 0}) {
  return KlPreference(options).solve({.gramian = gramian, .losses = losses, .preference = preference}).objective_weights;
}

const Gramian kIndependent(3, {1, 0, 0, 0, 1, 0, 0, 0, 1});

TEST(KlPreference, IndependentGradientsPutTheWeightOnTheObjectiveFurthestBehind) {
  // G = I: balance maximizes lambda^T a, and a_k grows with u_k.
  EXPECT_THAT(solve_kl_preference(kIndependent, {1, 5, 2}), ElementsAre(0, 1, 0));
  // The preference counts r_k F_k: 4 * 2 is the largest.
  EXPECT_THAT(solve_kl_preference(kIndependent, {1, 5, 2}, {1, 1, 4}), ElementsAre(0, 0, 1));
}

TEST(KlPreference, BalancedLossesDescendTogether) {
  // mu = 0: lambda^T G 1 over the simplex, no gradient opposed.
  EXPECT_THAT(solve_kl_preference(Gramian(2, {1, 0, 0, 4}), {2, 2}), ElementsAre(0, 1));
  // Opposed gradients, both leaders: lambda^T g_k >= 0 for both. g_1 = (1, -1), g_2 = (-1, 4).
  const std::vector<double> lambda = solve_kl_preference(Gramian(2, {1, -1, -1, 4}), {2, 2});
  EXPECT_THAT(lambda, ElementsAre(DoubleNear(0.5, 1e-9), DoubleNear(0.5, 1e-9)));
}

TEST(KlPreference, ThoseBehindMayRiseAsMuchAsTheAdjustmentLetsThem) {
  // By SciPy's linprog on the program (19) of this problem. The third objective's row binds, lambda^T g_3 = a^T g_3 < 0: without
  // the row the optimum is (1, 0, 0), with 0 on its right-hand side (0, 1/2, 1/2), without mu in a (0.872, 0.128, 0).
  const std::vector<double> lambda = solve_kl_preference(Gramian(3, {6, 5, -2, 5, 6, -1, -2, -1, 1}), {6, 4, 2}, {2, 3, 1});
  EXPECT_THAT(lambda, ElementsAre(DoubleNear(0.30936269, 1e-7), DoubleNear(0.69063731, 1e-7), DoubleNear(0, 1e-7)));
}

TEST(KlPreference, TheLeaderNeverRises) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Gramian gramian = random_gramian(seed).gramian;
    const std::size_t m = gramian.objectives();
    Random random({seed}, "losses");
    std::vector<double> losses;
    for (std::size_t k = 0; k < m; ++k) losses.push_back(random.uniform(0.1, 3));
    const WeightSolution solution = KlPreference({.weight_floor = 0}).solve({.gramian = gramian, .losses = losses});
    const auto leader = static_cast<std::size_t>(std::max_element(losses.begin(), losses.end()) - losses.begin());
    double along = 0;
    double largest = 0;
    for (std::size_t k = 0; k < m; ++k) {
      along += gramian(leader, k) * solution.objective_weights[k];
      largest = std::max(largest, std::abs(gramian(leader, k)));
    }
    EXPECT_GE(along, -(solution.kkt_residual + 1e-8) * largest) << seed;
  }
}

TEST(KlPreference, TheScaleOfThePreferenceAndOfTheGradientsDoesNotMatter) {
  const Gramian gramian(3, {2, -0.5, 0.3, -0.5, 1, 0.2, 0.3, 0.2, 3});
  const Gramian scaled(3, {2e-8, -0.5e-8, 0.3e-8, -0.5e-8, 1e-8, 0.2e-8, 0.3e-8, 0.2e-8, 3e-8});
  const std::vector<double> lambda = solve_kl_preference(gramian, {1, 2, 0.5}, {1, 2, 3});
  const std::vector<double> other = solve_kl_preference(scaled, {1, 2, 0.5}, {10, 20, 30});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(other[k], lambda[k], 1e-6);
}

TEST(KlPreference, PermutationsCarryOver) {
  const Gramian gramian(3, {2, -0.5, 0.3, -0.5, 1, 0.2, 0.3, 0.2, 3});
  const Gramian turned(3, {1, 0.2, -0.5, 0.2, 3, 0.3, -0.5, 0.3, 2});  // objective k is k + 1 above
  const std::vector<double> lambda = solve_kl_preference(gramian, {1, 2, 0.5});
  const std::vector<double> permuted = solve_kl_preference(turned, {2, 0.5, 1});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(permuted[k], lambda[(k + 1) % 3], 1e-9);
}

TEST(KlPreference, TheFloorHolds) {
  const std::vector<double> lambda = solve_kl_preference(kIndependent, {1, 5, 2}, {}, {});
  for (const double x : lambda) EXPECT_GE(x, 0.2 / 3 - 1e-15);
  EXPECT_NEAR(lambda[1], 1 - 2 * 0.2 / 3, 1e-12);
  for (const double x : solve_kl_preference(kIndependent, {1, 5, 2}, {}, {.weight_floor = 1})) EXPECT_NEAR(x, 1.0 / 3, 1e-15);
}

TEST(KlPreference, AnInfeasibleProgramIsAnsweredAndSaidSo) {
  // An indefinite estimate and both objectives leaders: -w_2 >= -v and -w_1 + w_2 / 2 >= -v meet at v = 0.4.
  Gramian gramian(2);
  gramian(0, 0) = 0;
  gramian(0, 1) = gramian(1, 0) = -1;
  gramian(1, 1) = 0.5;
  const WeightSolution solution =
      KlPreference({.weight_floor = 0, .leader_fraction = 0.1}).solve({.gramian = gramian, .losses = std::vector<double>{2, 1}});
  EXPECT_NEAR(solution.kkt_residual, 0.4, 1e-12);
  EXPECT_THAT(solution.objective_weights, ElementsAre(DoubleNear(0.6, 1e-12), DoubleNear(0.4, 1e-12)));
}

TEST(KlPreference, RejectsMissingOrNegativeLosses) {
  const KlPreference solver({});
  EXPECT_THAT([&] { solver.solve({.gramian = kIndependent}); }, ThrowsMessage<Error>(HasSubstr("expected 3 losses, found 0")));
  EXPECT_THAT([&] { solve_kl_preference(kIndependent, {1, -2, 1}); }, ThrowsMessage<Error>(HasSubstr("losses of at least 0, found -2")));
}

TEST(KlPreference, LossesOfZeroAreNoObstacle) {
  for (const std::vector<double>& losses : {std::vector<double>{0, 0, 0}, std::vector<double>{0, 1, 0}}) {
    double sum = 0;
    for (const double x : solve_kl_preference(kIndependent, losses)) sum += x;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

}  // namespace
}  // namespace paretofl
