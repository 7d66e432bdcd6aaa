#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/core/registry.h"
#include "paretofl/solvers/gramian.h"

namespace paretofl {

/// What a solver may use to set the objective weights of M objectives. Spans are [M], or empty where
/// unknown.
struct WeightProblem {
  const Gramian& gramian;
  std::span<const double> losses = {};      ///< current objective values
  std::span<const double> previous = {};    ///< lambda of the round or step before
  std::span<const double> preference = {};  ///< positive, any scale
  std::int64_t step = 1;                    ///< t >= 1, how often lambda has been set including now
};

/// Throws Error unless the Gramian passes its check, every span given has M finite values, `previous`
/// is non-negative and sums to 1 within 1e-6, the preference is positive, and the step is at least 1.
void check(const WeightProblem& problem);

struct WeightSolution {
  std::vector<double> objective_weights;  ///< lambda [M], on the simplex
  double kkt_residual = 0;                ///< of the solver's own problem (kkt_residual.h); 0 where it solves none
  int iterations = 0;
};

/// Sets objective weights lambda from a Gramian: ACROSS OBJECTIVES, never across clients. Stateless
/// (what a method remembers comes in as `previous`) and safe to share between threads.
class WeightSolver {
 public:
  virtual ~WeightSolver() = default;
  /// Throws Error where the problem fails its check or a span the method needs is missing.
  virtual WeightSolution solve(const WeightProblem& problem) const = 0;
};

/// Every solver by name.
const Registry<std::unique_ptr<WeightSolver>(const Settings&)>& solvers();

/// The solver a config asks for.
std::unique_ptr<WeightSolver> make_solver(const Component& component);

}  // namespace paretofl
