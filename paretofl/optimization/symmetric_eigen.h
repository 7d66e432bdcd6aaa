#pragma once

#include <Eigen/Core>

namespace paretofl {

/// The eigenvalues of a symmetric matrix [n, n] in ascending order, and its orthonormal eigenvectors [n, n], one per column in the same
/// order. One file instantiates the library's solver, since every file that does takes five seconds more to compile.
struct SymmetricEigen {
  explicit SymmetricEigen(const Eigen::MatrixXd& matrix);

  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

}  // namespace paretofl
