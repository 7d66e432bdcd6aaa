#pragma once

#include <Eigen/Core>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The positive semidefinite matrix nearest in the Frobenius norm to the symmetric part of `matrix` [M, M].
Gramian nearest_positive_semidefinite(const Square& matrix);

/// The Gramian of vectors with independent noise of this standard deviation on each of their `count` numbers, less what the noise adds to
/// it on average: count * deviation^2 on the diagonal. The nearest positive semidefinite matrix to that; without noise, the Gramian itself.
Gramian without_noise(const Gramian& gramian, double deviation, double count);

}  // namespace paretofl
