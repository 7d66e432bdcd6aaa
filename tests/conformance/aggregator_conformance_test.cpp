#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "paretofl/aggregators/aggregator.h"
#include "paretofl/aggregators/vector_norms.h"
#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "tests/aggregators/random_updates.h"

namespace paretofl {
namespace {

/// An aggregator with the given settings where it has such options.
std::unique_ptr<Aggregator> aggregator_for(const std::string& name, std::int64_t bad_clients) {
  Settings settings;
  if (name == "multi_krum") settings.values.emplace("bad_clients", bad_clients);
  if (name == "trimmed_mean") settings.values.emplace("trim", 0.3);
  return make_aggregator({name, settings});
}

std::vector<float> combined(const Aggregator& aggregator, const std::vector<std::vector<float>>& vectors, std::vector<double> shares = {}) {
  if (shares.empty()) shares.assign(vectors.size(), 1 / static_cast<double>(vectors.size()));
  const std::vector<std::span<const float>> views(vectors.begin(), vectors.end());
  return aggregator.combine(views, shares);
}

/// 10 clients' vectors of 30 numbers around (3, 3, ...), the last `bad` of them replaced.
struct Attacked {
  std::vector<std::vector<float>> good;
  std::vector<std::vector<float>> all;
};

Attacked attacked(std::size_t bad, int kind, std::uint64_t seed) {
  Random random({seed, 0, 0}, "vectors");
  Attacked result;
  for (std::size_t i = 0; i < 10; ++i) {
    std::vector<float> vector = random_vector(30, random);
    for (float& x : vector) x = 3 + 0.5F * x;
    if (i < 10 - bad) {
      result.good.push_back(vector);
    } else if (kind == 0) {
      for (float& x : vector) x *= -100;
    } else if (kind == 1) {
      for (float& x : vector) x = x > 3 ? 3e38F : -3e38F;
    } else {
      vector.assign(vector.size(), 0);
      vector[i % 3] = 1e6F;
    }
    result.all.push_back(vector);
  }
  return result;
}

class AggregatorConformance : public testing::TestWithParam<std::string> {};

std::vector<std::string> aggregator_names() {
  std::vector<std::string> names;
  for (const RegistryEntry* entry : aggregators().entries()) names.push_back(entry->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, AggregatorConformance, testing::ValuesIn(aggregator_names()), [](const auto& info) { return info.param; });

TEST_P(AggregatorConformance, TheOrderOfClientsDoesNotMatter) {
  const auto aggregator = aggregator_for(GetParam(), 2);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Attacked vectors = attacked(2, 0, seed);
    const std::vector<float> before = combined(*aggregator, vectors.all);
    Random random({seed, 1, 0}, "order");
    random.shuffle(std::span(vectors.all));
    const std::vector<float> after = combined(*aggregator, vectors.all);
    for (std::size_t j = 0; j < before.size(); ++j) EXPECT_NEAR(before[j], after[j], 1e-5 * (1 + std::abs(before[j])));
  }
}

TEST_P(AggregatorConformance, ClientsThatAgreeAreBelieved) {
  const auto aggregator = aggregator_for(GetParam(), 2);
  Random random({7, 0, 0}, "vector");
  const std::vector<float> vector = random_vector(40, random);
  for (const std::size_t clients : {std::size_t{7}, std::size_t{8}, std::size_t{25}}) {
    const std::vector<float> result = combined(*aggregator, std::vector<std::vector<float>>(clients, vector));
    for (std::size_t j = 0; j < vector.size(); ++j) EXPECT_NEAR(result[j], vector[j], 1e-6 * (1 + std::abs(vector[j])));
  }
  if (aggregator->fewest() == 1) {
    EXPECT_THAT(combined(*aggregator, {vector}), testing::Pointwise(testing::FloatNear(1e-6F), vector));
  }
}

TEST_P(AggregatorConformance, BadClientsCannotMoveItFar) {
  if (GetParam() == "mean") return;  // which they can: see below
  const auto aggregator = aggregator_for(GetParam(), 2);
  for (int kind = 0; kind < 3; ++kind) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Attacked vectors = attacked(2, kind, seed);
      const std::vector<float> result = combined(*aggregator, vectors.all);
      double reach = 0;  // the largest norm of a good vector
      for (const auto& vector : vectors.good) reach = std::max(reach, norm(vector));
      EXPECT_LE(norm(result), 2 * 0.8 / 0.6 * reach) << kind;
      const std::vector<float> center(30, 3);
      // Clipped bad vectors still pull; what remains points the good ones' way.
      const double far = GetParam() == "norm_clipping" ? 0.5 * norm(center) : 0.2 * norm(center);
      EXPECT_LE(distance(std::span<const float>(result), std::span<const float>(center)), far) << kind;
      if (GetParam() != "coordinate_median" && GetParam() != "trimmed_mean") continue;
      for (std::size_t j = 0; j < result.size(); ++j) {
        const auto [low, high] =
            std::minmax_element(vectors.good.begin(), vectors.good.end(), [j](const auto& a, const auto& b) { return a[j] < b[j]; });
        EXPECT_GE(result[j], (*low)[j]);
        EXPECT_LE(result[j], (*high)[j]);
      }
    }
  }
}

TEST_P(AggregatorConformance, WeightsCountWhereTheRuleHeedsThem) {
  const auto aggregator = aggregator_for(GetParam(), 0);
  const std::vector<std::vector<float>> vectors{{0, 1}, {1, 0}, {1, 1}};
  const std::vector<float> even = combined(*aggregator, vectors), uneven = combined(*aggregator, vectors, {0.8, 0.1, 0.1});
  const bool heeded = GetParam() == "mean" || GetParam() == "multi_krum" || GetParam() == "norm_clipping";
  EXPECT_EQ(even != uneven, heeded);
}

TEST(Aggregators, OneBadClientMovesTheMeanAnywhere) {
  const Attacked vectors = attacked(1, 1, 3);
  EXPECT_GT(norm(combined(*make_aggregator({"mean", {}}), vectors.all)), 1e37);
}

TEST(Aggregators, ValuesByHand) {
  const std::vector<std::vector<float>> vectors{{1, 10}, {2, -7}, {3, 2}, {100, 4}, {-5, 3}};
  EXPECT_THAT(combined(*make_aggregator({"coordinate_median", {}}), vectors), testing::ElementsAre(2, 3));
  EXPECT_THAT(combined(*make_aggregator({"trimmed_mean", {}}), vectors), testing::ElementsAre(2, 3));
  EXPECT_THAT(combined(*make_aggregator({"coordinate_median", {}}), {{1}, {2}, {5}, {9}}), testing::ElementsAre(3.5F));
  // The geometric median of a triangle with right angle at (0, 0) and equal legs lies on the bisector, at (3 - sqrt 3) / 6 of the leg.
  const float fermat = (3 - std::sqrt(3.0F)) / 6;
  EXPECT_THAT(combined(*make_aggregator({"geometric_median", {{{"tolerance", 0.0}, {"iterations", std::int64_t{5000}}}, {}}}),
                       {{0, 0}, {1, 0}, {0, 1}}),
              testing::Pointwise(testing::FloatNear(1e-4F), std::vector<float>{fermat, fermat}));
  EXPECT_THAT(combined(*make_aggregator({"norm_clipping", {{{"bound", 5.0}}, {}}}), {{30, 40}, {3, 0}}), testing::ElementsAre(3, 2));
  EXPECT_THAT(combined(*make_aggregator({"norm_clipping", {}}), {{30, 40}, {3, 0}, {0, 5}}),
              testing::Pointwise(testing::FloatNear(1e-6F), std::vector<float>{2, 3}));
  EXPECT_THAT(combined(*make_aggregator({"multi_krum", {{{"chosen", std::int64_t{1}}}, {}}}), {{0}, {1}, {1.1F}, {1.3F}, {50}}),
              testing::ElementsAre(1.1F));
  EXPECT_THAT(combined(*make_aggregator({"multi_krum", {}}), {{0}, {1}, {1.5F}, {1.5F}, {50}}), testing::ElementsAre(1));
}

TEST(Aggregators, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(make_aggregator({"trimmed_mean", {{{"trim", 0.5}}, {}}}), Error);
  EXPECT_THROW(make_aggregator({"multi_krum", {{{"bad_clients", std::int64_t{-1}}}, {}}}), Error);
  EXPECT_THROW(make_aggregator({"mean", {{{"trim", 0.1}}, {}}}), Error);
  EXPECT_THROW(make_aggregator({"median", {}}), Error);
}

}  // namespace
}  // namespace paretofl
