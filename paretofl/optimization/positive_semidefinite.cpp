#include "paretofl/optimization/positive_semidefinite.h"

#include "paretofl/optimization/symmetric_eigen.h"

namespace paretofl {

Gramian nearest_positive_semidefinite(const Square& matrix) {
  const SymmetricEigen eigen(0.5 * (matrix + matrix.transpose()));
  const Square clipped = eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
  const Square symmetric = 0.5 * (clipped + clipped.transpose());
  return Gramian(static_cast<std::size_t>(symmetric.rows()), {symmetric.data(), symmetric.data() + symmetric.size()});
}

Gramian without_noise(const Gramian& gramian, double deviation, double count) {
  if (deviation == 0) return gramian;
  const auto m = static_cast<Eigen::Index>(gramian.objectives());
  Square matrix = Eigen::Map<const Square>(gramian.values().data(), m, m);
  matrix.diagonal().array() -= count * deviation * deviation;
  return nearest_positive_semidefinite(matrix);
}

}  // namespace paretofl
