#include "paretofl/optimization/unit_gramian.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "paretofl/optimization/symmetric_eigen.h"

namespace paretofl {
namespace {

// What rounding may take from an eigenvalue 0, per objective.
constexpr double kRounding = 1e-14;
constexpr double kNegligible = 1e-150;  // a norm, to the largest

void make_semidefinite(Gramian& cosines) {
  const auto m = static_cast<Eigen::Index>(cosines.objectives());
  const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(cosines.values().data(), m, m);
  const double slack = kRounding * static_cast<double>(m);
  if (Eigen::LLT<Eigen::MatrixXd>(matrix + slack * Eigen::MatrixXd::Identity(m, m)).info() == Eigen::Success) return;
  const SymmetricEigen eigen(matrix);
  const Eigen::MatrixXd root = eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal();
  const Eigen::MatrixXd units = root.rowwise().normalized();
  const Eigen::MatrixXd clipped = units * units.transpose();
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const auto row = static_cast<std::size_t>(i);
      const auto column = static_cast<std::size_t>(j);
      cosines(row, column) = cosines(column, row) = std::clamp(clipped(i, j), -1.0, 1.0);
    }
  }
}

}  // namespace

UnitGramian::UnitGramian(const Gramian& gramian) : norms(gramian.objectives()), cosines(gramian.objectives()) {
  double largest = 0;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    norms[i] = std::sqrt(std::max(gramian(i, i), 0.0));
    largest = std::max(largest, norms[i]);
  }
  for (double& norm : norms) norm = norm > kNegligible * largest ? norm : 0;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    cosines(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) {
      if (norms[i] == 0 || norms[j] == 0) continue;
      cosines(i, j) = cosines(j, i) = std::clamp(gramian(i, j) / norms[i] / norms[j], -1.0, 1.0);
    }
  }
  make_semidefinite(cosines);
  if (largest == 0) return;
  for (double& norm : norms) norm /= largest;
}

Gramian UnitGramian::gramian() const {
  Gramian result = cosines;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    for (std::size_t j = 0; j < norms.size(); ++j) result(i, j) *= norms[i] * norms[j];
  }
  return result;
}

std::vector<double> UnitGramian::along_gradients(std::span<const double> along_units) const {
  std::vector<double> alpha(norms.size());
  for (std::size_t i = 0; i < norms.size(); ++i) {
    if (norms[i] > 0) alpha[i] = along_units[i] / norms[i];
  }
  return alpha;
}

}  // namespace paretofl
