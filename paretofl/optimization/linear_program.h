#pragma once

#include <cstddef>
#include <vector>

namespace paretofl {

/// maximize value^T w over the probability simplex [M], subject to rows w >= bounds.
struct LinearProgram {
  std::vector<double> value;              ///< [M], M >= 1
  std::vector<std::vector<double>> rows;  ///< any number of rows [M]
  std::vector<double> bounds;             ///< one per row
};

struct LinearProgramSolution {
  std::vector<double> point;  ///< w [M], a vertex of the feasible set
  double violation = 0;       ///< the least v >= 0 for which rows w >= bounds - v can be met; 0 if feasible
  int iterations = 0;         ///< pivots
};

/// Exact solution by the primal simplex method in a dense tableau with Bland's rule, so it ends. Two
/// phases: the first minimizes the largest violation v from the vertex w = e_1, the second maximizes the
/// value among the points that violate no row by more than v. So an infeasible program has an answer:
/// the best among the points nearest to feasible. Entries are taken relative to the largest magnitude in
/// value, and to that in rows and bounds; below 1e-10 of it counts as zero. Where nearly parallel rows then leave a point that
/// violates more than v, up to 1e-6 does; the violation is never less than the point's, to within 1e-8. Throws Error unless
/// all entries are finite and sizes agree.
LinearProgramSolution solve(const LinearProgram& program);

}  // namespace paretofl
