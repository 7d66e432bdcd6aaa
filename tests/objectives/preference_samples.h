#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "paretofl/objectives/preference_distribution.h"

namespace paretofl {

/// The preferences of all clients, each from its own stream.
inline std::vector<Preference> draw_all(const Component& component, std::size_t objectives, std::size_t clients, std::uint64_t seed = 1) {
  const auto distribution = make_preference_distribution(component);
  std::vector<Preference> preferences;
  for (std::size_t client = 0; client < clients; ++client) {
    Random random({seed, 0, static_cast<std::uint32_t>(client)}, "preference");
    preferences.push_back(distribution->draw({.objectives = objectives, .client = client, .clients = clients}, random));
  }
  return preferences;
}

/// The weights of one objective.
inline std::vector<double> column(const std::vector<Preference>& preferences, std::size_t objective) {
  std::vector<double> weights;
  for (const Preference& preference : preferences) weights.push_back(preference[objective]);
  return weights;
}

inline double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

inline double variance(const std::vector<double>& values) {
  const double center = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - center) * (value - center);
  return sum / static_cast<double>(values.size());
}

/// Kolmogorov and Smirnov's statistic sqrt(n) sup |empirical - cdf|. Under the right distribution it is
/// above 2.5 with a probability of 2 exp(-2 * 2.5^2) = 7.5e-6.
inline double kolmogorov_smirnov(std::vector<double> values, const std::function<double(double)>& cdf) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = cdf(values[i]);
    largest = std::max({largest, expected - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - expected});
  }
  return std::sqrt(n) * largest;
}

inline constexpr double kKolmogorovSmirnovBound = 2.5;

}  // namespace paretofl
