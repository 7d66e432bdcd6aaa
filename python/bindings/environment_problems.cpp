#include "paretofl/agents/agent.h"
#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/runs/python_workloads.h"
#include "paretofl/workloads/environment_workload.h"
#include "python/bindings/bindings.h"
#include "python/bindings/current_run.h"
#include "python/bindings/interpreter.h"
#include "python/bindings/python_environment.h"

namespace paretofl::python {
namespace {

/// The options of every workload with an environment, and what tells the problem of a run from others, so that a run is resumed with its
/// own alone.
struct EnvironmentProblemOptions {
  EnvironmentWorkloadOptions base;
  std::string fingerprint;

  void describe(OptionVisitor& visit) {
    base.describe(visit);
    visit.text("fingerprint", fingerprint, "digest of the environment's spaces and objectives");
  }
};

/// The problem whose environments this thread makes; invalid: those of the run under way.
thread_local nb::handle problem_of_thread;

EnvironmentSpec spec_of(nb::handle description) {
  EnvironmentSpec spec;
  spec.id = nb::cast<std::string>(description.attr("name"));
  const auto numbers = [&](const char* name) { return nb::cast<std::vector<double>>(description.attr(name)); };
  spec.observation = {.type = ObservationSpace::Type::kFloat64, .low = numbers("observation_low"), .high = numbers("observation_high")};
  spec.action = {
      .choices = nb::cast<std::int64_t>(description.attr("choices")), .low = numbers("action_low"), .high = numbers("action_high")};
  spec.objective_names = nb::cast<std::vector<std::string>>(description.attr("objectives"));
  spec.max_episode_steps = nb::cast<std::int64_t>(description.attr("max_episode_steps"));
  return spec;
}

std::unique_ptr<Environment> make_python_environment() {
  return with_interpreter("environment", [] {
    const nb::handle problem = problem_of_thread.is_valid() ? problem_of_thread : CurrentRun::problem();
    expect(problem.is_valid() && !problem.is_none(), "environment: expected a run of a paretofl.environments.Problem, found none");
    return std::make_unique<PythonEnvironment>(spec_of(problem.attr("_description")()), nb::object(problem.attr("_episodes")()));
  });
}

EnvironmentWorkloadOptions on_python(EnvironmentWorkloadOptions options) {
  options.environment = kPythonEnvironment;
  return options;
}

std::unique_ptr<Workload> make_environment_problem(const Settings& settings, const WorkloadContext& context) {
  const auto options = read_options<EnvironmentProblemOptions>(settings, "workload");
  with_interpreter("environment", [&] {
    const nb::handle problem = CurrentRun::problem();
    const bool fits = problem.is_valid() && nb::hasattr(problem, "_episodes");
    expect(fits, "workload: expected the paretofl.environments.Problem of a run of {}, found {}; hand it to paretofl.run(problem, ...)",
           options.base.environment, !problem.is_valid() || problem.is_none() ? "none" : "another problem");
    const auto fingerprint = nb::cast<std::string>(problem.attr("_description")().attr("fingerprint"));
    expect(fingerprint == options.fingerprint,
           "workload: expected the problem of this run, {} with fingerprint {}, found one with fingerprint {}", options.base.environment,
           options.fingerprint, fingerprint);
  });
  return std::make_unique<EnvironmentWorkload>(on_python(options.base), context.seed);
}

/// A trained model that acts, without exploration.
class TrainedPolicy {
 public:
  TrainedPolicy(nb::handle problem, const nb::dict& workload, nb::ndarray<const float, nb::ndim<1>, nb::c_contig> theta,
                const std::optional<std::vector<double>>& preference)
      : theta_(theta.data(), theta.data() + theta.size()), action_(spec_of(problem.attr("_description")()).action.size()) {
    const auto options = read_options<EnvironmentProblemOptions>(settings_of(workload), "workload");
    problem_of_thread = problem;
    try {
      agent_ = agents().at(options.base.agent.name).make(options.base.agent.settings, kPythonEnvironment);
    } catch (...) {
      problem_of_thread = nb::handle();
      throw;
    }
    problem_of_thread = nb::handle();
    expect(theta_.size() == agent_->layout()->size(), "policy: expected the {} parameters of {}, found {}", agent_->layout()->size(),
           options.base.agent.name, theta_.size());
    const std::size_t objectives = spec_of(problem.attr("_description")()).objective_names.size();
    expect(!preference || !agent_->front_preferences().empty(), "preference: expected none with the agent {}, found one of {} numbers",
           options.base.agent.name, preference ? preference->size() : 0);
    policy_ = agent_->policy(preference ? Preference(*preference, objectives) : uniform_preference(objectives));
  }

  NumpyArray<double> act(const Doubles& observation) {
    policy_->act(theta_, span_of(observation), action_);
    return copied_to_numpy(std::span<const double>(action_));
  }

 private:
  std::vector<float> theta_;
  std::unique_ptr<Agent> agent_;
  std::unique_ptr<Policy> policy_;
  std::vector<double> action_;
};

}  // namespace

void bind_environment_problems(nb::module_& module) {
  environments().add({{kPythonEnvironment, "an environment of Python code", "paretofl.environments.Problem", [](OptionVisitor&) {}},
                      &make_python_environment});
  workloads().add({{kPythonEnvironmentProblem, "agents in an environment of Python code", "paretofl.environments.Problem",
                    described<EnvironmentProblemOptions>()},
                   &make_environment_problem});
  nb::class_<TrainedPolicy>(module, "TrainedPolicy")
      .def(nb::init<nb::handle, const nb::dict&, nb::ndarray<const float, nb::ndim<1>, nb::c_contig>,
                    const std::optional<std::vector<double>>&>(),
           "problem"_a, "workload"_a, "theta"_a, "preference"_a = nb::none())
      .def("act", &TrainedPolicy::act, "observation"_a);
}

}  // namespace paretofl::python
