#include "paretofl/solvers/aligned_mtl.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {
namespace {

constexpr double kNoDirection = 1e-10;  // what rounding leaves of preferences orthogonal to every eigenvector

}  // namespace

WeightSolution AlignedMtl::solve(const WeightProblem& problem) const {
  check(problem);
  const std::vector<double> preference = preference_shares(problem);
  const auto m = static_cast<Eigen::Index>(preference.size());
  const Gramian gramian = UnitGramian(problem.gramian).gramian();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::Map<const Eigen::MatrixXd>(gramian.values().data(), m, m));
  const Eigen::Map<const Eigen::VectorXd> w(preference.data(), m);
  const double zero = static_cast<double>(m) * std::numeric_limits<double>::epsilon() * eigen.eigenvalues()(m - 1);
  Eigen::VectorXd alpha = Eigen::VectorXd::Zero(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double value = eigen.eigenvalues()(i);
    if (value > zero)
      alpha += eigen.eigenvectors().col(i).dot(w) / std::sqrt(value / eigen.eigenvalues()(m - 1)) * eigen.eigenvectors().col(i);
  }
  if (alpha.norm() <= kNoDirection * w.norm()) return {preference};
  return {shares({alpha.data(), alpha.data() + m})};
}

}  // namespace paretofl
