#pragma once

#include "paretofl/solvers/weight_solver.h"
#include "python/bindings/python_object.h"

namespace paretofl::python {

/// A solver that Python code defines (python/paretofl/solver.py says how). Its weights are checked and divided by the sum of their
/// absolute values, as WeightSolver promises.
class PythonSolver : public WeightSolver {
 public:
  /// The caller holds the interpreter's lock.
  PythonSolver(std::string name, nanobind::object solver);

  WeightSolution solve(const WeightProblem& problem) const override;
  LossUse loss_use() const override { return {}; }

 private:
  std::string name_;
  PythonObject solver_;
  bool negative_weights_;
};

}  // namespace paretofl::python
