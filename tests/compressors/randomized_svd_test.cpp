#include "paretofl/compressors/randomized_svd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<float> random_matrix(std::size_t size, std::uint64_t seed) {
  Random random({seed}, "test matrix");
  std::vector<float> values(size);
  for (float& x : values) x = static_cast<float>(random.normal());
  return values;
}

/// rows x columns of rank `rank`, with singular values that decay by `decay`.
std::vector<float> low_rank(std::size_t rows, std::size_t columns, std::size_t rank, double decay) {
  std::vector<float> matrix(rows * columns);
  for (std::size_t r = 0; r < rank; ++r) {
    const auto u = random_matrix(rows, 100 + r);
    const auto v = random_matrix(columns, 200 + r);
    const auto scale = static_cast<float>(std::pow(decay, r));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) matrix[i * columns + j] += scale * u[i] * v[j];
    }
  }
  return matrix;
}

std::vector<float> round_trip(const Compressor& compressor, std::span<const float> jacobian, std::size_t objectives) {
  std::vector<float> result(jacobian.size());
  compressor.reconstruct(compressor.compress(jacobian, objectives, Random({1}, "sketch")), objectives, result);
  return result;
}

double relative_error(std::span<const float> exact, std::span<const float> estimate) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += std::pow(exact[i] - estimate[i], 2);
    norm += std::pow(exact[i], 2);
  }
  return std::sqrt(difference / norm);
}

TEST(RandomizedSvd, RecoversAMatrixOfAffordableRankExactly) {
  // 2 x 800 entries make a 40 x 40 matrix; a budget of 1 affords rank 10.
  const RandomizedSvdCompressor compressor({});
  const std::vector<float> jacobian = low_rank(40, 40, 9, 0.8);
  EXPECT_LT(relative_error(jacobian, round_trip(compressor, jacobian, 2)), 1e-5);
}

// Objectives whose gradients agree up to their length cost no more rank than one of them: here 5 pieces of the 7 affordable.
TEST(RandomizedSvd, CutsTheGradientsOfAllObjectivesAtTheSameParameters) {
  constexpr std::size_t kObjectives = 40;
  for (const std::size_t dimension : {1000, 997}) {
    const std::vector<float> gradient = random_matrix(dimension, 7);
    std::vector<float> jacobian;
    for (std::size_t j = 0; j < kObjectives; ++j) {
      for (const float value : gradient) jacobian.push_back(value * (1 + 0.1F * static_cast<float>(j)));
    }
    EXPECT_LT(relative_error(jacobian, round_trip(RandomizedSvdCompressor({.budget = 3}), jacobian, kObjectives)), 1e-5) << dimension;
  }
}

TEST(RandomizedSvd, IsNearlyAsGoodAsTheBestApproximationOfItsRank) {
  const RandomizedSvdCompressor compressor({});
  const std::vector<float> jacobian = low_rank(40, 40, 40, 0.8);
  const Eigen::Map<const Eigen::Matrix<float, 40, 40, Eigen::RowMajor>> matrix(jacobian.data());
  const Eigen::MatrixXf dense = matrix;
  const Eigen::VectorXf singular = Eigen::JacobiSVD<Eigen::MatrixXf>(dense).singularValues();
  const double best = singular.tail(30).norm() / singular.norm();
  EXPECT_LT(relative_error(jacobian, round_trip(compressor, jacobian, 2)), 1.02 * best);
}

TEST(RandomizedSvd, UploadStaysWithinTheBudgetAndMeetsThePublishedRank) {
  const RandomizedSvdCompressor compressor({});
  // The encoder of the digit sets: 238 x 240, rank 59.
  EXPECT_EQ(compressor.upload_numbers(2, 28515), 59 * (238 + 240));
  for (const std::size_t objectives : {1, 2, 5, 40}) {
    for (const std::size_t dimension : {50, 1000, 28515}) {
      const std::vector<float> jacobian = random_matrix(objectives * dimension, 3);
      const Record sketch = compressor.compress(jacobian, objectives, Random({1}, "sketch"));
      const std::size_t sent = sketch.array("left").size() + sketch.array("right").size();
      EXPECT_EQ(sent, compressor.upload_numbers(objectives, dimension));
      const auto smallest = static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(objectives * dimension)) + 2);
      EXPECT_LE(sent, std::max(dimension, smallest)) << objectives << " x " << dimension;
    }
  }
}

TEST(RandomizedSvd, ErrorFallsWithTheBudget) {
  const std::vector<float> jacobian = low_rank(40, 40, 40, 0.9);
  double previous = 2;
  for (const double budget : {0.2, 0.5, 1.0, 2.0, 4.0}) {
    const double error = relative_error(jacobian, round_trip(RandomizedSvdCompressor({.budget = budget}), jacobian, 2));
    EXPECT_LT(error, previous);
    previous = error;
  }
  EXPECT_LT(previous, 1e-5);  // a budget of 4 affords the full rank
}

TEST(RandomizedSvd, PadsWhatIsNotSquare) {
  const RandomizedSvdCompressor compressor({.budget = 10});
  for (const std::size_t dimension : {1, 2, 3, 7, 101}) {
    const std::vector<float> jacobian = random_matrix(3 * dimension, 5);
    EXPECT_LT(relative_error(jacobian, round_trip(compressor, jacobian, 3)), 1e-5) << dimension;
  }
}

TEST(RandomizedSvd, AZeroJacobianStaysZero) {
  const std::vector<float> zero(200);
  EXPECT_EQ(round_trip(RandomizedSvdCompressor({}), zero, 2), zero);
}

TEST(RandomizedSvd, SquaresOfLargeAndSmallGradientsDoNotMatter) {
  const RandomizedSvdCompressor compressor({});
  const std::vector<float> jacobian = random_matrix(2000, 5);
  const std::vector<float> expected = round_trip(compressor, jacobian, 2);
  for (const int exponent : {100, -100}) {
    std::vector<float> scaled = jacobian;
    for (float& x : scaled) x = std::ldexp(x, exponent);
    std::vector<float> found = round_trip(compressor, scaled, 2);
    for (float& x : found) x = std::ldexp(x, -exponent);
    EXPECT_LT(relative_error(expected, found), 1e-6) << exponent;
  }
}

TEST(RandomizedSvd, RejectsASketchOfAnotherShape) {
  const RandomizedSvdCompressor compressor({});
  const Record sketch = compressor.compress(random_matrix(200, 1), 2, Random({1}, "sketch"));
  std::vector<float> other(300);
  EXPECT_THAT([&] { compressor.reconstruct(sketch, 2, other); }, ThrowsMessage<Error>(HasSubstr("in 'left', found")));
  EXPECT_THAT([&] { compressor.reconstruct({}, 2, other); }, ThrowsMessage<Error>(HasSubstr("expected array 'left'")));
}

}  // namespace
}  // namespace paretofl
