#include "paretofl/runs/run.h"

#include <atomic>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/report/html_report.h"
#include "paretofl/runs/model_export.h"
#include "paretofl/runs/presets.h"
#include "paretofl/runs/run_evaluation.h"
#include "paretofl/runs/trained_model.h"
#include "paretofl/strategies/strategy.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_error.h"
#include "python/bindings/python_workload.h"

namespace paretofl::python {
namespace {

constexpr const char* kWorkload = "python";

/// What tells the problem of a run from others, so that a run is resumed with its own alone.
struct ProblemOptions {
  std::string problem;
  std::string fingerprint;

  void describe(OptionVisitor& visit) {
    visit.text("problem", problem, "class of the problem in Python");
    visit.text("fingerprint", fingerprint, "digest of its objectives, clients, layout and initial parameters");
  }
};

/// The run that is under way in this process, and its problem: signals and the record of the data read belong to one run.
class CurrentRun {
 public:
  explicit CurrentRun(nb::handle problem) {
    expect(!under_way_.exchange(true),
           "run: expected one run at a time in a process, found another under way; a second one needs a process of its own");
    problem_ = problem;
  }
  ~CurrentRun() {
    problem_ = nb::handle();
    under_way_ = false;
  }
  CurrentRun(const CurrentRun&) = delete;
  CurrentRun& operator=(const CurrentRun&) = delete;

  static nb::handle problem() { return problem_; }

 private:
  static std::atomic<bool> under_way_;
  static nb::handle problem_;
};

std::atomic<bool> CurrentRun::under_way_ = false;
nb::handle CurrentRun::problem_;

std::unique_ptr<Workload> make_python_workload(const Settings& settings) {
  const auto options = read_options<ProblemOptions>(settings, "workload");
  const nb::gil_scoped_acquire lock;
  const nb::handle problem = CurrentRun::problem();
  expect(
      problem.is_valid() && !problem.is_none(),
      "workload: expected a problem for a run of {}, found none; hand it to paretofl.run(problem, ...) or paretofl.Run(directory, problem)",
      options.problem);
  try {
    const nb::object description = problem.attr("_description")();
    const auto name = nb::cast<std::string>(description.attr("name"));
    const auto fingerprint = nb::cast<std::string>(description.attr("fingerprint"));
    expect(name == options.problem && fingerprint == options.fingerprint,
           "workload: expected the problem of this run, {} with fingerprint {}, found {} with {}", options.problem, options.fingerprint,
           name, fingerprint);
    return std::make_unique<PythonWorkload>(problem);
  } catch (const nb::python_error& exception) {
    throw_as_error(exception);
  }
}

/// Calls a Python function after each round. What it raises ends the run after a checkpoint and is raised again by finish().
class Observer {
 public:
  explicit Observer(const nb::object& function) : function_(function) {}

  bool operator()(const nlohmann::ordered_json& row) {
    const nb::gil_scoped_acquire lock;
    try {
      function_(nb::module_::import_("json").attr("loads")(row.dump()));
      return true;
    } catch (nb::python_error& exception) {
      raised_.emplace(std::move(exception));
      return false;
    }
  }

  void finish() {
    if (raised_) throw std::move(*raised_);
  }

 private:
  const nb::object& function_;
  std::optional<nb::python_error> raised_;
};

nb::tuple run_from_python(const nb::object& config, const std::filesystem::path& directory, const std::vector<std::string>& overrides,
                          bool overwrite, bool resume, const nb::object& problem, const nb::object& after_round) {
  RunRequest request{.config = {}, .directory = directory, .overrides = overrides, .overwrite = overwrite, .resume = resume};
  if (nb::isinstance<nb::dict>(config)) {
    request.settings = settings_of(nb::cast<nb::dict>(config));
  } else if (!resume) {
    request.config = nb::cast<std::filesystem::path>(config);
  }
  Observer observer(after_round);
  if (!after_round.is_none()) request.after_round = [&](const nlohmann::ordered_json& row) { return observer(row); };
  RunOutcome outcome;
  {
    const CurrentRun current(problem);
    const nb::gil_scoped_release unlocked;
    outcome = run(request);
  }
  observer.finish();
  return nb::make_tuple(outcome.directory, outcome.signal, outcome.rounds);
}

/// The newest checkpoint's parameters [d], or of personalized strategies [n, d]; and the model that evaluation.choose_by chose [d], or
/// None. Throws Error where there is no checkpoint.
nb::tuple trained_parameters(const std::filesystem::path& directory) {
  const TrainedModel model = TrainedModel::load(directory);
  const std::size_t n = model.num_clients();
  const nb::object newest = n > 0 ? copied_to_numpy(model.newest(), {n, model.size()}) : copied_to_numpy(model.newest());
  return nb::make_tuple(newest, model.chosen() ? copied_to_numpy(model.theta()) : nb::none());
}

/// What evaluate_run returns, as a dictionary. `problem` is that of a run of one, or None.
nb::object evaluate_from_python(const std::filesystem::path& directory, const std::filesystem::path& data_root, const nb::object& problem) {
  std::string evaluation;
  {
    const CurrentRun current(problem);
    const nb::gil_scoped_release unlocked;
    evaluation = evaluate_run({.run = directory, .data_root = data_root}).dump();
  }
  return nb::module_::import_("json").attr("loads")(evaluation);
}

}  // namespace

void bind_runs(nb::module_& module) {
  workloads().add({{kWorkload, "a problem that Python code defines", "paretofl.Problem", described<ProblemOptions>()},
                   [](const Settings& settings, const WorkloadContext&) { return make_python_workload(settings); }});
  module.def("run", &run_from_python, "config"_a.none(), "directory"_a, "overrides"_a, "overwrite"_a, "resume"_a, "problem"_a.none(),
             "after_round"_a.none());
  module.def("default_cohort_size", [](const std::string& strategy) -> std::optional<std::int64_t> {
    OptionLister lister;
    strategies().entry(strategy).describe(lister);
    for (const OptionDoc& doc : lister.docs()) {
      if (doc.key == "cohort_size") return std::stoll(doc.default_value);
    }
    return std::nullopt;
  });
  module.def("config_file", [](const std::string& argument, const std::filesystem::path& presets) {
    return names_a_file(argument) ? std::filesystem::path(argument) : preset_file(presets, argument);
  });
  module.def("trained_parameters", &trained_parameters, "directory"_a);
  module.def("evaluate", &evaluate_from_python, "directory"_a, "data_root"_a, "problem"_a.none());
  module.def(
      "export_model",
      [](const std::filesystem::path& directory, const std::string& format, const std::filesystem::path& file, std::optional<int> client) {
        export_model({.run = directory, .format = format, .output = file, .client = client});
      },
      "directory"_a, "format"_a, "file"_a, "client"_a.none(), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "write_report",
      [](const std::vector<std::filesystem::path>& folders, const std::filesystem::path& page) {
        write_html_report(load_runs(folders), page);
      },
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace paretofl::python
