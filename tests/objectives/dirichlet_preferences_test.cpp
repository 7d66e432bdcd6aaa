#include "paretofl/objectives/dirichlet_preferences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/objectives/preference_samples.h"

namespace paretofl {
namespace {

constexpr std::size_t kDraws = 10000;

Component dirichlet(double concentration) {
  Component component{"dirichlet", {}};
  component.settings.values["concentration"] = concentration;
  return component;
}

TEST(DirichletPreferences, AreUniformOnTheSimplexByDefault) {
  for (const std::size_t objectives : {2, 3, 5}) {
    const std::vector<Preference> preferences = draw_all({"dirichlet", {}}, objectives, kDraws);
    // The share of the simplex with w_k <= x.
    const auto cdf = [&](double x) { return 1 - std::pow(1 - x, static_cast<double>(objectives - 1)); };
    for (std::size_t k = 0; k < objectives; ++k) EXPECT_LT(kolmogorov_smirnov(column(preferences, k), cdf), kKolmogorovSmirnovBound);
  }
}

TEST(DirichletPreferences, FollowTheConcentration) {
  const auto arcsine = [](double x) { return 2 / std::numbers::pi * std::asin(std::sqrt(x)); };
  const auto parabolic = [](double x) { return x * x * (3 - 2 * x); };
  EXPECT_LT(kolmogorov_smirnov(column(draw_all(dirichlet(0.5), 2, kDraws), 0), arcsine), kKolmogorovSmirnovBound);
  EXPECT_LT(kolmogorov_smirnov(column(draw_all(dirichlet(2), 2, kDraws), 0), parabolic), kKolmogorovSmirnovBound);
}

TEST(DirichletPreferences, HaveTheDirichletMoments) {
  for (const double alpha : {0.2, 1.0, 8.0}) {
    const std::vector<Preference> preferences = draw_all(dirichlet(alpha), 4, kDraws);
    const double expected = 0.25 * 0.75 / (4 * alpha + 1);
    for (std::size_t k = 0; k < 4; ++k) {
      // Five standard errors; that of the variance is at most sqrt(variance / n), for |w - 1/4| <= 1.
      EXPECT_NEAR(mean(column(preferences, k)), 0.25, 5 * std::sqrt(expected / kDraws));
      EXPECT_NEAR(variance(column(preferences, k)), expected, 5 * std::sqrt(expected / kDraws));
    }
  }
}

}  // namespace
}  // namespace paretofl
