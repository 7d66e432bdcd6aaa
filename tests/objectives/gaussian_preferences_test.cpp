#include "paretofl/objectives/gaussian_preferences.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/objectives/preference_samples.h"

namespace paretofl {
namespace {

constexpr std::size_t kPreferences = 10000;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

Component gaussian(double deviation) {
  Component component{"gaussian", {}};
  component.settings.values["deviation"] = deviation;
  return component;
}

TEST(GaussianPreferences, AreTheNormalizedNormalsWhereNothingIsClipped) {
  // With g_1, g_2 normal about 1, g_1 / (g_1 + g_2) <= x exactly when (1 - x) g_1 - x g_2 <= 0.
  constexpr double kDeviation = 0.1;
  const auto cdf = [](double x) { return normal_cdf((2 * x - 1) / (kDeviation * std::hypot(x, 1 - x))); };
  EXPECT_LT(kolmogorov_smirnov(column(draw_all(gaussian(kDeviation), 2, kPreferences), 0), cdf), kKolmogorovSmirnovBound);
}

TEST(GaussianPreferences, AreClippedAtZeroAndDrawnAgainWhenNothingIsLeft) {
  for (const double deviation : {0.5, 1.0, 5.0}) {
    const std::vector<double> weights = column(draw_all(gaussian(deviation), 2, kPreferences), 0);
    const auto clipped = static_cast<double>(std::count(weights.begin(), weights.end(), 0.0)) / kPreferences;
    // One is clipped and the other isn't, given that not both are: p (1 - p) / (1 - p^2).
    const double p = normal_cdf(-1 / deviation);
    const double expected = p / (1 + p);
    EXPECT_NEAR(clipped, expected, 5 * std::sqrt(expected / kPreferences));
  }
}

TEST(GaussianPreferences, FavourNoObjective) {
  const std::vector<Preference> preferences = draw_all({"gaussian", {}}, 4, kPreferences);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<double> weights = column(preferences, k);
    EXPECT_NEAR(mean(weights), 0.25, 5 * std::sqrt(variance(weights) / kPreferences));
  }
}

TEST(GaussianPreferences, AreMoreAlikeThanUniformOnes) {
  for (const std::size_t objectives : {2, 3, 4}) {
    const std::vector<Preference> uniform = draw_all({"dirichlet", {}}, objectives, kPreferences);
    const std::vector<Preference> gaussian = draw_all({"gaussian", {}}, objectives, kPreferences);
    EXPECT_LT(variance(column(gaussian, 0)), 0.8 * variance(column(uniform, 0)));
  }
}

TEST(GaussianPreferences, WithoutDeviationAreUniform) {
  for (const Preference& preference : draw_all(gaussian(0), 3, 5)) EXPECT_EQ(preference, uniform_preference(3));
}

}  // namespace
}  // namespace paretofl
