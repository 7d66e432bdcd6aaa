#pragma once

#include <span>
#include <vector>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// One projected step of stochastic multi-objective methods: proj_simplex(lambda - gamma (A lambda + rho lambda)) from `previous`, or from
/// uniform weights where there is none. A is [M, M], row-major, and need not be symmetric. Counts as one iteration, and its KKT residual
/// is that of the problem's Gramian. Throws Error, naming `solver`, if `previous` has a negative weight or the step is not finite.
WeightSolution step_on_simplex(const char* solver, const WeightProblem& problem, std::span<const double> a, double gamma, double rho);

}  // namespace paretofl
