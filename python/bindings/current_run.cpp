#include "python/bindings/current_run.h"

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/runs/python_workloads.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_error.h"
#include "python/bindings/python_workload.h"

namespace paretofl::python {
namespace {

/// What tells the problem of a run from others, so that a run is resumed with its own alone.
struct ProblemOptions {
  std::string problem;
  std::string fingerprint;

  void describe(OptionVisitor& visit) {
    visit.text("problem", problem, "class of the problem in Python");
    visit.text("fingerprint", fingerprint, "digest of its objectives, clients, settings, tensors, layout and initial parameters");
  }
};

std::unique_ptr<Workload> make_python_workload(const Settings& settings) {
  const auto options = read_options<ProblemOptions>(settings, "workload");
  const nb::gil_scoped_acquire lock;
  const nb::handle problem = CurrentRun::problem();
  expect(problem.is_valid() && !problem.is_none(),
         "workload: expected a problem for a run of {}, found none; hand it to paretofl.run(problem, ...) or paretofl.Run(directory, "
         "problem)",
         options.problem);
  try {
    const nb::object description = problem.attr("_description")();
    const auto name = nb::cast<std::string>(description.attr("name"));
    const auto fingerprint = nb::cast<std::string>(description.attr("fingerprint"));
    expect(name == options.problem && fingerprint == options.fingerprint,
           "workload: expected the problem of this run, {} with fingerprint {} (of its objectives, clients, settings, tensors and initial "
           "parameters), found {} with {}",
           options.problem, options.fingerprint, name, fingerprint);
    return std::make_unique<PythonWorkload>(problem);
  } catch (const nb::python_error& exception) {
    throw_as_error(exception);
  }
}

}  // namespace

std::atomic<bool> CurrentRun::under_way_ = false;
std::atomic<bool> CurrentRun::asked_to_end_ = false;
nb::handle CurrentRun::problem_;

CurrentRun::CurrentRun(const char* function, nb::handle problem) {
  expect(!under_way_.exchange(true),
         "{0}: expected one run at a time in a process, found another under way; call {0} after it, or in a process of its own", function);
  problem_ = problem;
}

CurrentRun::~CurrentRun() {
  problem_ = nb::handle();
  under_way_ = false;
}

void add_python_workload() {
  workloads().add({{kPythonProblem, "a problem that Python code defines", "paretofl.Problem", described<ProblemOptions>()},
                   [](const Settings& settings, const WorkloadContext&) { return make_python_workload(settings); }});
}

}  // namespace paretofl::python
