#include "paretofl/solvers/equal_cosines.h"

#include "paretofl/optimization/symmetric_eigen.h"
#include "paretofl/solvers/simplex_qp.h"

namespace paretofl {
namespace {

constexpr double kSingularBelow = 1e-12;
constexpr double kNoCosine = 1e-10;  // what rounding leaves of a target without a direction

}  // namespace

EqualCosines equal_cosines(const UnitGramian& units, std::span<const double> target) {
  const auto m = static_cast<Eigen::Index>(target.size());
  const Eigen::Map<const Eigen::MatrixXd> cosines(units.cosines.values().data(), m, m);
  Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXd>(target.data(), m);
  for (Eigen::Index k = 0; k < m; ++k) {
    if (units.norms[static_cast<std::size_t>(k)] == 0) w[k] = 0;  // it gains nothing along any direction
  }
  const SymmetricEigen eigen(cosines);
  const double smallest = kSingularBelow * eigen.values(m - 1);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(m);
  double within = 0;  // squared norm of what lies in the range of R
  for (Eigen::Index i = 0; i < m; ++i) {
    if (eigen.values(i) <= smallest) continue;
    const double component = eigen.vectors.col(i).dot(w);
    within += component * component;
    b += component / eigen.values(i) * eigen.vectors.col(i);
  }
  if (within <= kNoCosine * kNoCosine * w.squaredNorm()) return {minimize_on_simplex(units.cosines).objective_weights, 1};
  return {{b.data(), b.data() + m}, std::min(1.0, (cosines * b - w).norm() / w.norm())};
}

}  // namespace paretofl
