#include "paretofl/compressors/randomized_svd.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kSafeExponent = 30;  // of two, whose squares and their sums a float holds

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Orthonormal basis of the columns of `matrix` [n, k], n >= k.
Matrix orthonormal(const Matrix& matrix) {
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  return qr.householderQ() * Matrix::Identity(matrix.rows(), matrix.cols());
}

/// Fills with standard normals; single precision suffices for a test matrix.
Matrix gaussian(std::size_t rows, std::size_t columns, Random random) {
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.normal());
  return matrix;
}

}  // namespace

void RandomizedSvdOptions::describe(OptionVisitor& visit) {
  visit.boolean("two_way", two_way,
                "make a second exchange, in which the server sends a sketch of the clients' sum, to correct the estimate");
  visit.real("budget", budget, 1e-6, 1e6, "size of a sketch, as a multiple of d numbers");
  visit.real("oversampling", oversampling, 0, 10, "extra columns of the random test matrix, as a fraction of the rank");
  visit.integer("power_iterations", power_iterations, 0, 100, "power iterations, each half-step orthonormalized");
}

RandomizedSvdCompressor::Shape RandomizedSvdCompressor::shape(std::size_t objectives, std::size_t dimension) const {
  const std::size_t count = objectives * dimension;
  expect(count > 0, "randomized_svd: expected a jacobian with entries, found {} x {}", objectives, dimension);
  // As many pieces of each gradient as make rows and columns together the fewest.
  const auto columns_of = [&](std::size_t pieces) { return (dimension + pieces - 1) / pieces; };
  auto pieces =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(dimension) / static_cast<double>(objectives))));
  if (objectives * (pieces + 1) + columns_of(pieces + 1) < objectives * pieces + columns_of(pieces)) ++pieces;
  const std::size_t rows = objectives * pieces;
  const std::size_t columns = columns_of(pieces);
  const auto affordable = static_cast<std::size_t>(options_.budget * static_cast<double>(dimension) / static_cast<double>(rows + columns));
  return {rows, columns, std::clamp<std::size_t>(affordable, 1, std::min(rows, columns)), pieces * columns};
}

std::size_t RandomizedSvdCompressor::upload_numbers(std::size_t objectives, std::size_t dimension) const {
  const Shape s = shape(objectives, dimension);
  return s.rank * (s.rows + s.columns);
}

Record RandomizedSvdCompressor::compress(std::span<const float> jacobian, std::size_t objectives, Random random) const {
  const std::size_t dimension = jacobian.size() / objectives;
  const Shape s = shape(objectives, dimension);
  Matrix a = Matrix::Zero(s.rows, s.columns);
  for (std::size_t j = 0; j < objectives; ++j) std::copy_n(jacobian.data() + j * dimension, dimension, a.data() + j * s.padded);
  // So that the squares below neither overflow nor vanish.
  int exponent = 0;
  std::frexp(a.cwiseAbs().maxCoeff(), &exponent);
  exponent = std::abs(exponent) <= kSafeExponent ? 0 : std::clamp(exponent, -100, 100);
  a *= std::ldexp(1.0F, -exponent);
  const auto extra = static_cast<std::size_t>(std::ceil(options_.oversampling * static_cast<double>(s.rank)));
  const std::size_t width = std::min({s.rows, s.columns, s.rank + extra});

  Matrix q = orthonormal(a * gaussian(s.columns, width, random));
  for (std::int64_t i = 0; i < options_.power_iterations; ++i) {
    const Matrix z = orthonormal(a.transpose() * q);
    q = orthonormal(a * z);
  }
  const Matrix b = q.transpose() * a;
  // The leading left singular vectors of the small b rotate q's columns into A's leading directions.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> eigen(Eigen::MatrixXf(b * b.transpose()));
  const Matrix leading = eigen.eigenvectors().rightCols(static_cast<Eigen::Index>(s.rank));
  const Matrix left = q * leading;
  const Matrix right = leading.transpose() * b * std::ldexp(1.0F, exponent);

  Record sketch;
  const auto rank = static_cast<std::int64_t>(s.rank);
  sketch.arrays.emplace("left", Array(std::span<const float>(left.data(), s.rows * s.rank), {static_cast<std::int64_t>(s.rows), rank}));
  sketch.arrays.emplace("right",
                        Array(std::span<const float>(right.data(), s.rank * s.columns), {rank, static_cast<std::int64_t>(s.columns)}));
  return sketch;
}

void RandomizedSvdCompressor::reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const {
  const std::size_t dimension = jacobian.size() / objectives;
  const Shape s = shape(objectives, dimension);
  const auto left = float_array(sketch, "left", s.rows * s.rank);
  const auto right = float_array(sketch, "right", s.rank * s.columns);
  const Eigen::Map<const Matrix> l(left.data(), static_cast<Eigen::Index>(s.rows), static_cast<Eigen::Index>(s.rank));
  const Eigen::Map<const Matrix> r(right.data(), static_cast<Eigen::Index>(s.rank), static_cast<Eigen::Index>(s.columns));
  const Matrix product = l * r;
  for (std::size_t j = 0; j < objectives; ++j) std::copy_n(product.data() + j * s.padded, dimension, jacobian.data() + j * dimension);
}

}  // namespace paretofl
