#include "paretofl/solvers/aligned_mtl.h"

#include <cmath>
#include <limits>

#include "paretofl/optimization/symmetric_eigen.h"
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
  const SymmetricEigen eigen(Eigen::Map<const Eigen::MatrixXd>(gramian.values().data(), m, m));
  const Eigen::Map<const Eigen::VectorXd> w(preference.data(), m);
  const double zero = static_cast<double>(m) * std::numeric_limits<double>::epsilon() * eigen.values(m - 1);
  Eigen::VectorXd alpha = Eigen::VectorXd::Zero(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double value = eigen.values(i);
    if (value > zero) alpha += eigen.vectors.col(i).dot(w) / std::sqrt(value / eigen.values(m - 1)) * eigen.vectors.col(i);
  }
  if (alpha.norm() <= kNoDirection * w.norm()) return {preference};
  return {shares({alpha.data(), alpha.data() + m})};
}

}  // namespace paretofl
