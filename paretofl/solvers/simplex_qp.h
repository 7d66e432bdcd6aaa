#pragma once

#include "paretofl/solvers/gramian.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// argmin over the simplex of lambda^T Q lambda, exact: in closed form for M = 2, with an active set
/// (active_set.h) beyond. Rows whose diagonal entry is 0 belong to zero gradients and share the weight
/// evenly. Minimizers that are not unique (duplicated gradients) depend on the order of the rows. The
/// scaled KKT residual is at most 1e-10 for every positive semidefinite Q. Q must pass Gramian::check().
WeightSolution minimize_on_simplex(const Gramian& q);

}  // namespace paretofl
