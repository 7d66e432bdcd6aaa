#pragma once

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
};

struct WeightSolution {
  std::vector<double> objective_weights;  ///< lambda [M], on the simplex
  double kkt_residual = 0;                ///< of the solver's own problem, scaled; 0 where it solves none
  int iterations = 0;
};

/// Sets objective weights lambda from a Gramian: ACROSS OBJECTIVES, never across clients. Stateless
/// (what a method remembers comes in as `previous`) and safe to share between threads.
class WeightSolver {
 public:
  virtual ~WeightSolver() = default;
  /// Throws Error where the problem's sizes don't agree or a span the method needs is missing.
  virtual WeightSolution solve(const WeightProblem& problem) const = 0;
};

/// Every solver by name.
const Registry<std::unique_ptr<WeightSolver>(const Settings&)>& solvers();

/// The solver a config asks for.
std::unique_ptr<WeightSolver> make_solver(const Component& component);

}  // namespace paretofl
