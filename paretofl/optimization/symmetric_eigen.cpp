#include "paretofl/optimization/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace paretofl {

SymmetricEigen::SymmetricEigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
}

}  // namespace paretofl
