#pragma once

#include <cstddef>
#include <span>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// Solves the problem of the objectives `held` alone (at least one, ascending), because nothing is known of the others: lambda [M] is 0 for
/// these. `previous` is cut to the held objectives and scaled so that its absolute values sum to 1; uniform weights where all are 0.
/// With all M objectives it is solver.solve(problem).
WeightSolution solve_for(const WeightSolver& solver, const WeightProblem& problem, std::span<const std::size_t> held);

}  // namespace paretofl
