#include "paretofl/core/build_facts.h"
#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/round.h"
#include "paretofl/registry/registry.h"
#include "python/bindings/bindings.h"

/// paretofl._engine, the compiled half of the Python package.
NB_MODULE(_engine, module) {
  namespace nb = nanobind;
  // Registered parts are kept until the process ends, and PyTorch keeps the globals of programs: with them objects of these types.
  nb::set_leak_warnings(false);
  nb::exception<paretofl::Error> error(module, "Error", PyExc_ValueError);
  error.doc() = "Wrong input, or a run that could not continue. The message says what was expected and what was found.";
  nb::exception<paretofl::RoundAbandoned>(module, "RoundAbandoned", error).doc() =
      "Too few clients answered. If run_round raises it, the round is left undone and the run continues.";
  module.def(
      "version", [] { return paretofl::version_text(); }, "Version and commit of the engine.");
  paretofl::python::bind_registries(module);
  paretofl::python::bind_parts(module);
  paretofl::python::bind_rounds(module);
  paretofl::python::bind_plugins(module);
  paretofl::python::bind_rewards(module);
  paretofl::python::bind_questions(module);
  paretofl::python::bind_solvers(module);
  paretofl::python::bind_compressors(module);
  paretofl::python::bind_aggregators(module);
  paretofl::python::bind_objectives(module);
  paretofl::python::bind_kernels(module);
  paretofl::python::bind_privacy(module);
  paretofl::python::bind_problems(module);
  paretofl::python::bind_environments(module);
  paretofl::python::bind_environment_problems(module);
  paretofl::python::bind_runs(module);
  paretofl::python::bind_sweeps(module);
}
