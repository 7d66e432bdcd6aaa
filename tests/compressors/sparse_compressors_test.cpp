// Compressors that send some of the entries, or all of them coarsely.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/compressors/client_grams.h"
#include "paretofl/compressors/quantizer.h"
#include "paretofl/compressors/random_mask.h"
#include "paretofl/compressors/top_k.h"
#include "paretofl/core/error.h"
#include "paretofl/optimization/gramian.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<float> normal(std::size_t size) {
  Random random({5}, "test matrix");
  std::vector<float> values(size);
  for (float& x : values) x = static_cast<float>(random.normal());
  return values;
}

std::vector<float> sparse_round_trip(const Compressor& compressor, std::span<const float> jacobian, std::size_t objectives,
                                     std::uint64_t seed = 1) {
  std::vector<float> result(jacobian.size());
  compressor.reconstruct(compressor.compress(jacobian, objectives, Random({seed}, "sketch")), objectives, result);
  return result;
}

TEST(TopK, KeepsTheLargestEntriesAsTheyAre) {
  for (const std::size_t objectives : {2, 40}) {  // a map of entries, a list of positions
    const std::vector<float> jacobian = normal(objectives * 500);
    const std::vector<float> sparse = sparse_round_trip(TopKCompressor({}), jacobian, objectives);
    float smallest_kept = INFINITY;
    float largest_left = 0;
    for (std::size_t i = 0; i < jacobian.size(); ++i) {
      if (sparse[i] != 0) {
        EXPECT_EQ(sparse[i], jacobian[i]);
        smallest_kept = std::min(smallest_kept, std::abs(jacobian[i]));
      } else {
        largest_left = std::max(largest_left, std::abs(jacobian[i]));
      }
    }
    EXPECT_GT(smallest_kept, largest_left);
  }
}

TEST(TopK, SpendsItsBudgetOnPositionsToo) {
  const TopKCompressor compressor({});
  // The encoder of the digit sets: one bit for each of 57030 entries costs 1783 numbers, the rest are values.
  EXPECT_EQ(compressor.upload_numbers(2, 28515), 28515);
  EXPECT_EQ(compressor.compress(normal(57030), 2, Random({1}, "")).array("values").size(), 28515 - 1783);
  // 40 objectives: a map would cost 1.25 d; positions of 16 bits leave two thirds for values.
  EXPECT_LE(compressor.upload_numbers(40, 1000), 1000);
  EXPECT_EQ(compressor.compress(normal(40000), 40, Random({1}, "")).array("values").size(), 665);
}

TEST(TopK, ABudgetForEverythingIsExact) {
  const std::vector<float> jacobian = normal(600);
  EXPECT_EQ(sparse_round_trip(TopKCompressor({.budget = 3.2}), jacobian, 3), jacobian);
}

TEST(TopK, TiesGoToTheFirst) {
  const std::vector<float> same(100, -2.0F);
  const std::vector<float> sparse = sparse_round_trip(TopKCompressor({.budget = 0.5}), same, 2);
  const auto zero = std::find(sparse.begin(), sparse.end(), 0.0F);
  EXPECT_TRUE(std::all_of(zero, sparse.end(), [](float x) { return x == 0; }));
}

TEST(TopK, RejectsPositionsOutsideAndMarksThatDontAddUp) {
  std::vector<float> result(40 * 25);
  const std::vector<std::uint8_t> ones(5000, 255);
  Record sketch = TopKCompressor({}).compress(normal(1000), 40, Random({1}, ""));
  sketch.arrays.insert_or_assign("where", Array(std::span<const std::uint8_t>(ones)));
  EXPECT_THAT([&] { TopKCompressor({}).reconstruct(sketch, 40, result); }, ThrowsMessage<Error>(HasSubstr("positions below 1000")));
  result.resize(600);
  sketch = TopKCompressor({}).compress(normal(600), 2, Random({1}, ""));
  sketch.arrays.insert_or_assign("where", Array(std::span<const std::uint8_t>(ones)));
  EXPECT_THAT([&] { TopKCompressor({}).reconstruct(sketch, 2, result); }, ThrowsMessage<Error>(HasSubstr("marked, found more")));
  sketch.arrays.insert_or_assign("where", Array(std::span<const std::uint8_t>(std::vector<std::uint8_t>(76))));
  EXPECT_THAT([&] { TopKCompressor({}).reconstruct(sketch, 2, result); }, ThrowsMessage<Error>(HasSubstr("marked, found 0")));
}

TEST(TopK, RejectsNaN) {
  std::vector<float> jacobian = normal(100);
  jacobian[3] = NAN;
  EXPECT_THAT([&] { sparse_round_trip(TopKCompressor({}), jacobian, 2); }, ThrowsMessage<Error>(HasSubstr("expected finite gradients")));
  EXPECT_THAT([&] { sparse_round_trip(QuantizerCompressor({}), jacobian, 2); },
              ThrowsMessage<Error>(HasSubstr("expected finite gradients")));
}

// The mean of many reconstructions approaches the jacobian: within 5 standard errors, entry by entry.
void expect_unbiased(const Compressor& compressor, std::size_t objectives) {
  constexpr int kDraws = 2000;
  const std::vector<float> jacobian = normal(objectives * 40);
  std::vector<double> sum(jacobian.size());
  std::vector<double> squares(jacobian.size());
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const std::vector<float> result = sparse_round_trip(compressor, jacobian, objectives, draw);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += result[i];
      squares[i] += static_cast<double>(result[i]) * result[i];
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double mean = sum[i] / kDraws;
    const double deviation = std::sqrt(std::max(squares[i] / kDraws - mean * mean, 0.0) / kDraws);
    EXPECT_NEAR(mean, jacobian[i], 5 * deviation + 1e-5) << i;
  }
}

TEST(RandomMask, IsUnbiased) { expect_unbiased(RandomMaskCompressor({}), 3); }

TEST(RandomMask, SendsTheBudgetAndScalesWhatItSends) {
  const std::vector<float> jacobian = normal(2000);
  const RandomMaskCompressor compressor({});
  EXPECT_EQ(compressor.upload_numbers(4, 500), 500);
  int kept = 0;
  const std::vector<float> sparse = sparse_round_trip(compressor, jacobian, 4);
  for (std::size_t i = 0; i < sparse.size(); ++i) {
    if (sparse[i] == 0) continue;
    ++kept;
    EXPECT_NEAR(sparse[i], jacobian[i] * 2000 / 498, 1e-4);
  }
  EXPECT_EQ(kept, 498);
}

TEST(RandomMask, WithoutScaleSendsEntriesAsTheyAre) {
  const std::vector<float> jacobian = normal(2000);
  const std::vector<float> scaled = sparse_round_trip(RandomMaskCompressor({}), jacobian, 4);
  const std::vector<float> sparse = sparse_round_trip(RandomMaskCompressor({.scale = false}), jacobian, 4);
  for (std::size_t i = 0; i < sparse.size(); ++i) ASSERT_EQ(sparse[i], scaled[i] == 0 ? 0 : jacobian[i]) << i;
}

TEST(Quantizer, IsUnbiased) {
  expect_unbiased(QuantizerCompressor({}), 3);
  expect_unbiased(QuantizerCompressor({.budget = 0.1}), 2);  // two bits
}

TEST(Quantizer, VarianceStaysBelowItsBound) {
  // At most d / (4 L^2) ||x||^2 for each row, L = 2^(b-1) - 1.
  const std::size_t d = 400;
  const std::vector<float> row = normal(d);
  double norm = 0;
  for (const float x : row) norm += static_cast<double>(x) * x;
  for (const auto& [budget, levels] : {std::pair{0.07, 1.0}, {0.125, 7.0}, {0.25, 127.0}}) {
    double error = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const std::vector<float> result = sparse_round_trip(QuantizerCompressor({.budget = budget}), row, 1, seed);
      for (std::size_t j = 0; j < d; ++j) error += std::pow(result[j] - row[j], 2) / 100;
    }
    EXPECT_LT(error, d / (4 * levels * levels) * norm) << budget;
    EXPECT_GT(error, 0) << budget;
  }
}

TEST(Quantizer, UploadFitsTheBudgetUpToTwoBits) {
  EXPECT_EQ(QuantizerCompressor({}).upload_numbers(2, 28515), 2 + 28515);                       // 16 bits
  EXPECT_LE(QuantizerCompressor({}).upload_numbers(5, 1000), 5 + 1000);                         // 6 bits
  EXPECT_EQ(QuantizerCompressor({}).upload_numbers(40, 1000), 40 + (40 * 1000 * 2 + 31) / 32);  // 2 bits at least
}

TEST(ClientGrams, SendsTheOwnGramian) {
  const std::vector<float> jacobian = normal(300);
  const Record sketch = ClientGramsCompressor().compress(jacobian, 3, Random({1}, ""));
  const Gramian exact = gramian_of_rows(jacobian, 3);
  EXPECT_THAT(double_array(sketch, "gramian", 9), testing::ElementsAreArray(exact.values()));
}

}  // namespace
}  // namespace paretofl
