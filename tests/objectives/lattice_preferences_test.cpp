#include "paretofl/objectives/lattice_preferences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "paretofl/objectives/spaced_preferences.h"
#include "tests/objectives/preference_samples.h"

namespace paretofl {
namespace {

using ::testing::ElementsAre;

std::vector<Preference> lattice(std::size_t objectives, std::size_t clients) { return draw_all({"lattice", {}}, objectives, clients); }

double distance(const Preference& a, const Preference& b) {
  double squared = 0;
  for (std::size_t k = 0; k < a.size(); ++k) squared += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(squared);
}

// (n over k), by Pascal's triangle.
std::size_t choose(std::size_t n, std::size_t k) { return k == 0 || k == n ? 1 : choose(n - 1, k - 1) + choose(n - 1, k); }

TEST(LatticePreferences, OfTwoObjectivesAreEvenlySpacedFromOneCornerToTheOther) {
  for (const std::size_t clients : {2, 3, 10, 20, 101}) {
    const std::vector<Preference> preferences = lattice(2, clients);
    for (std::size_t i = 0; i < clients; ++i) {
      EXPECT_NEAR(preferences[i][1], static_cast<double>(i) / static_cast<double>(clients - 1), 1e-15);
    }
  }
}

TEST(LatticePreferences, OfThreeObjectivesInOrder) {
  const std::vector<Preference> preferences = lattice(3, 6);
  EXPECT_THAT(preferences[0].weights(), ElementsAre(1, 0, 0));
  EXPECT_THAT(preferences[1].weights(), ElementsAre(0.5, 0.5, 0));
  EXPECT_THAT(preferences[2].weights(), ElementsAre(0.5, 0, 0.5));
  EXPECT_THAT(preferences[3].weights(), ElementsAre(0, 1, 0));
  EXPECT_THAT(preferences[4].weights(), ElementsAre(0, 0.5, 0.5));
  EXPECT_THAT(preferences[5].weights(), ElementsAre(0, 0, 1));
}

TEST(LatticePreferences, CoverTheWholeLatticeEquidistantly) {
  for (std::size_t objectives = 2; objectives <= 5; ++objectives) {
    for (std::size_t divisions = 1; divisions <= 4; ++divisions) {
      const std::vector<Preference> preferences = lattice(objectives, choose(divisions + objectives - 1, objectives - 1));
      const double spacing = std::sqrt(2.0) / static_cast<double>(divisions);
      for (std::size_t i = 0; i < preferences.size(); ++i) {
        for (const double weight : preferences[i].weights()) {
          EXPECT_NEAR(weight * static_cast<double>(divisions), std::round(weight * static_cast<double>(divisions)), 1e-12);
        }
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < preferences.size(); ++j) {
          if (j != i) nearest = std::min(nearest, distance(preferences[i], preferences[j]));
        }
        EXPECT_NEAR(nearest, spacing, 1e-12);
      }
    }
  }
}

TEST(LatticePreferences, GiveEveryClientItsOwnPointAndEveryObjectiveItsShare) {
  for (std::size_t objectives = 2; objectives <= 6; ++objectives) {
    for (std::size_t clients = 2; clients <= 60; ++clients) {
      const std::vector<Preference> preferences = lattice(objectives, clients);
      std::set<std::vector<double>> distinct;
      std::size_t corners = 0;
      for (const Preference& preference : preferences) {
        distinct.insert({preference.weights().begin(), preference.weights().end()});
        corners += *std::max_element(preference.weights().begin(), preference.weights().end()) == 1 ? 1 : 0;
      }
      EXPECT_EQ(distinct.size(), clients);
      EXPECT_EQ(corners, std::min(objectives, clients));
      if (clients < objectives) continue;
      for (std::size_t k = 0; k < objectives; ++k) {
        const double share = mean(column(preferences, k)) * static_cast<double>(objectives);
        EXPECT_GT(share, 0.5) << objectives << " objectives, " << clients << " clients";
        EXPECT_LT(share, 2) << objectives << " objectives, " << clients << " clients";
      }
    }
  }
}

TEST(LatticePreferences, OfOneClientOrOneObjectiveAreUniform) {
  EXPECT_EQ(lattice(3, 1)[0], uniform_preference(3));
  EXPECT_EQ(lattice(1, 4)[2], uniform_preference(1));
}

TEST(LatticePreferences, AreThereForManyClientsAndObjectives) {
  const auto distribution = make_preference_distribution({"lattice", {}});
  Random random({1}, "preference");
  EXPECT_EQ(distribution->draw({.objectives = 2, .client = 99999, .clients = 100000}, random), Preference({0, 1}, 2));
  EXPECT_EQ(distribution->draw({.objectives = 40, .client = 39, .clients = 10000}, random)[39], 1);
}

// As Section 4.2.1 of FedPref counts them out: H from 1 upwards, and the points one by one in descending order.
std::vector<double> counted_out(std::size_t objectives, std::size_t clients, std::size_t client) {
  const auto size = [](std::size_t parts, std::size_t sum) { return choose(sum + parts - 1, parts - 1); };
  std::size_t divisions = 1;
  while (size(objectives, divisions) < clients) ++divisions;
  std::vector<std::vector<double>> points, corners, others;
  std::vector<std::size_t> point(objectives);
  const std::function<void(std::size_t, std::size_t)> place = [&](std::size_t k, std::size_t left) {
    if (k + 1 == objectives) {
      point[k] = left;
      points.emplace_back();
      for (const std::size_t part : point) points.back().push_back(static_cast<double>(part));
      return;
    }
    for (std::size_t rest = 0; rest <= left; ++rest) {
      point[k] = left - rest;
      place(k + 1, rest);
    }
  };
  place(0, divisions);
  if (points.size() == clients) return points[client];
  for (const std::vector<double>& one : points) {
    const bool corner = *std::max_element(one.begin(), one.end()) == static_cast<double>(divisions);
    (corner ? corners : others).push_back(one);
  }
  if (client < objectives) return corners[client];
  return others[(2 * (client - objectives) + 1) * others.size() / (2 * (clients - objectives))];
}

TEST(LatticePreferences, AreThoseThatAreCountedOut) {
  for (std::size_t objectives = 2; objectives <= 5; ++objectives) {
    for (const std::size_t clients : {2, 3, 4, 5, 6, 10, 11, 21, 35, 36, 50}) {
      if (clients < objectives) continue;
      const std::vector<Preference> preferences = lattice(objectives, clients);
      for (std::size_t i = 0; i < clients; ++i) {
        EXPECT_EQ(preferences[i], Preference(counted_out(objectives, clients, i), objectives)) << objectives << " " << clients << " " << i;
      }
    }
  }
}

// Each preference takes time that hardly grows with their number: counting them out would take minutes here.
TEST(SpacedPreferences, AreThereForManyMore) {
  const std::vector<Preference> preferences = spaced_preferences(300001, 2);
  ASSERT_EQ(preferences.size(), 300001U);
  EXPECT_EQ(preferences[0], Preference({0, 1}, 2));
  EXPECT_EQ(preferences[75000], Preference({0.25, 0.75}, 2));
  EXPECT_EQ(spaced_preferences(300001, 3).size(), 300001U);
}

}  // namespace
}  // namespace paretofl
