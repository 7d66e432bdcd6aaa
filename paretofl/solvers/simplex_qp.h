#pragma once

#include "paretofl/optimization/gramian.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// argmin over the simplex of lambda^T Q lambda, exact: in closed form for M = 2, with an active set
/// (active_set.h) beyond. Rows whose diagonal entry is 0 belong to zero gradients and share the weight
/// evenly. Where the minimizer is not unique (duplicated gradients), which one comes out depends on the
/// order of the rows. The scaled KKT residual of a positive semidefinite Q stays below 1e-10 up to M = 64,
/// singular or with gradients 1e12 apart (tests/optimization/kkt_residual_test.cpp). Q must pass Gramian::check().
WeightSolution minimize_on_simplex(const Gramian& q);

}  // namespace paretofl
