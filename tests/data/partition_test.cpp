#include "paretofl/data/partition.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Labels 0 .. classes - 1, equally often, in a mixed order.
std::vector<std::uint32_t> mixed_labels(std::size_t count, std::uint32_t classes) {
  std::vector<std::uint32_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::uint32_t>(i % classes);
  Random({.seed = 3}, "labels").shuffle(std::span(labels));
  return labels;
}

std::vector<std::size_t> use_counts(const Partition& partition, std::size_t count) {
  std::vector<std::size_t> uses(count, 0);
  for (const std::uint32_t sample : partition.samples) ++uses.at(sample);
  return uses;
}

void expect_distinct_within_clients(const Partition& partition) {
  for (std::size_t id = 0; id < partition.clients(); ++id) {
    const auto samples = partition.client(id);
    ASSERT_EQ(std::set<std::uint32_t>(samples.begin(), samples.end()).size(), samples.size()) << "client " << id;
  }
}

Random stream(std::uint64_t seed = 1) { return Random({.seed = seed}, "partition"); }

TEST(Partition, EqualSizesDistinctSamples) {
  const auto labels = mixed_labels(6000, 100);
  const Partition partition = dirichlet_partition(labels, {20, 300, 0.3}, stream());
  EXPECT_EQ(partition.clients(), 20U);
  EXPECT_EQ(partition.samples.size(), 6000U);
  expect_distinct_within_clients(partition);
  use_counts(partition, labels.size());  // throws where a sample is out of range
}

TEST(Partition, SameStreamSamePartition) {
  const auto labels = mixed_labels(1000, 10);
  const DirichletSplit split{10, 100, 0.3};
  EXPECT_EQ(dirichlet_partition(labels, split, stream(1)).samples, dirichlet_partition(labels, split, stream(1)).samples);
  EXPECT_NE(dirichlet_partition(labels, split, stream(1)).samples, dirichlet_partition(labels, split, stream(2)).samples);
}

// Without demand beyond any label's stock, nothing is used twice.
TEST(Partition, ReusesNothingWhileStockLasts) {
  const auto labels = mixed_labels(60000, 10);
  const Partition partition = dirichlet_partition(labels, {5, 600, 0.3}, stream());
  EXPECT_THAT(use_counts(partition, labels.size()), testing::Each(testing::Le(1U)));
}

TEST(Partition, ReusesALabelOnlyWhenItIsExhausted) {
  const auto labels = mixed_labels(2000, 4);
  const Partition partition = dirichlet_partition(labels, {20, 100, 0.1}, stream());
  const auto uses = use_counts(partition, labels.size());
  std::vector<std::size_t> least(4, 99), most(4, 0);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    least[labels[i]] = std::min(least[labels[i]], uses[i]);
    most[labels[i]] = std::max(most[labels[i]], uses[i]);
  }
  EXPECT_THAT(most, testing::Contains(testing::Gt(1U))) << "some label runs out at this alpha";
  // A deck is renewed when it holds fewer than asked for (< 100), so at most that many were passed over.
  for (std::size_t k = 0; k < 4; ++k) {
    const auto passed_over = std::count_if(uses.begin(), uses.end(), [&](const std::size_t& count) {
      return labels[static_cast<std::size_t>(&count - uses.data())] == k && count == 0;
    });
    if (most[k] > 1) {
      EXPECT_LT(passed_over, 200) << "label " << k;
    }
  }
}

// Each client has at least floor(p_k n) of each label, so its mixture follows a Dirichlet draw: for tiny
// alpha one label, for huge alpha all equally.
TEST(Partition, AlphaSetsTheMixture) {
  const auto labels = mixed_labels(60000, 10);
  const auto largest = [&](double alpha) {
    const Partition partition = dirichlet_partition(labels, {20, 600, alpha}, stream());
    double mean = 0;
    for (std::size_t id = 0; id < 20; ++id) {
      std::vector<double> counts(10, 0);
      for (const std::uint32_t sample : partition.client(id)) ++counts[labels[sample]];
      mean += *std::max_element(counts.begin(), counts.end()) / 600 / 20;
    }
    return mean;
  };
  EXPECT_GT(largest(1e-4), 0.99);
  EXPECT_GT(largest(0.3), 0.3);
  EXPECT_LT(largest(0.3), 0.6);
  EXPECT_LT(largest(1e6), 0.11);
  EXPECT_LT(largest(1e300), 0.11);
}

TEST(Partition, OneLabelIsDealtLikeACardDeck) {
  const std::vector<std::uint32_t> labels(100, 7);
  const Partition partition = dirichlet_partition(labels, {10, 10, 0.3}, stream());
  EXPECT_THAT(use_counts(partition, 100), testing::Each(1U));
}

TEST(Partition, ManySmallClients) {
  const auto labels = mixed_labels(60000, 100);
  const Partition partition = dirichlet_partition(labels, {10000, 6, 0.3}, stream());
  EXPECT_EQ(partition.samples.size(), 60000U);
  expect_distinct_within_clients(partition);
}

TEST(Partition, MoreDemandThanDataIsSpreadEvenly) {
  const auto labels = mixed_labels(600, 6);
  const Partition partition = dirichlet_partition(labels, {500, 60, 0.3}, stream());  // 50 times the data
  expect_distinct_within_clients(partition);
  const auto uses = use_counts(partition, labels.size());
  EXPECT_GT(*std::min_element(uses.begin(), uses.end()), 25U);
  EXPECT_LT(*std::max_element(uses.begin(), uses.end()), 90U);
}

TEST(Partition, AClientMayHoldEverything) {
  const auto labels = mixed_labels(50, 7);
  const Partition partition = dirichlet_partition(labels, {3, 50, 0.3}, stream());
  expect_distinct_within_clients(partition);
  EXPECT_THAT(use_counts(partition, 50), testing::Each(3U));
}

TEST(Partition, EverySampleItsOwnLabel) {
  std::vector<std::uint32_t> labels(500);
  std::iota(labels.begin(), labels.end(), 4000000000U);
  const Partition partition = dirichlet_partition(labels, {5, 100, 0.3}, stream());
  expect_distinct_within_clients(partition);
}

TEST(Partition, RefusesNonsense) {
  const auto labels = mixed_labels(100, 10);
  EXPECT_THROW(dirichlet_partition(labels, {0, 10, 0.3}, stream()), Error);
  EXPECT_THROW(dirichlet_partition(labels, {10, 0, 0.3}, stream()), Error);
  EXPECT_THROW(dirichlet_partition(labels, {1, 101, 0.3}, stream()), Error);
  EXPECT_THROW(dirichlet_partition(labels, {10, 10, 0}, stream()), Error);
  EXPECT_THROW(dirichlet_partition(labels, {10, 10, -1}, stream()), Error);
  EXPECT_THROW(dirichlet_partition(labels, {10, 10, std::nan("")}, stream()), Error);
  EXPECT_THROW(dirichlet_partition(labels, {10, 10, std::numeric_limits<double>::infinity()}, stream()), Error);
  EXPECT_THROW(dirichlet_partition({}, {10, 10, 0.3}, stream()), Error);
}

}  // namespace
}  // namespace paretofl
