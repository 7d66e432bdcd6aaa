#pragma once

#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"
#include "python/bindings/python_options.h"

namespace paretofl::python {

/// The options of a strategy in Python: those of the engine's clients, and its own.
struct PythonStrategyOptions {
  std::int64_t cohort_size = 10;
  LocalTrainingOptions local;
  PythonOptions own;

  void describe(OptionVisitor& visit);
};

/// A strategy whose server half Python code defines (python/paretofl/strategy.py says how). Its clients are the engine's: they answer
/// "train" as in weighted_training.h, and "jacobian" with a stochastic jacobian [M, d] and its losses. `part` is the object of the server
/// half. The caller holds the interpreter's lock.
Strategy make_python_strategy(std::string name, const PythonStrategyOptions& options, nanobind::object part, const Workload& workload);

}  // namespace paretofl::python
