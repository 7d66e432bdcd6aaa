#include "paretofl/sweeps/sweep.h"

#include "paretofl/report/front_csv.h"
#include "paretofl/sweeps/sweep_results.h"
#include "python/bindings/bindings.h"
#include "python/bindings/current_run.h"

namespace paretofl::python {
namespace {

/// Configs, each a name with a file's path or a dictionary.
void add_configs(const nb::list& configs, SweepRequest& request) {
  for (const nb::handle item : configs) {
    const auto named = nb::cast<nb::tuple>(item);
    const nb::object config = named[1];
    if (nb::isinstance<nb::dict>(config)) {
      request.settings.emplace_back(nb::cast<std::string>(nb::object(named[0])), settings_of(nb::cast<nb::dict>(config)));
    } else {
      request.configs.push_back(nb::cast<std::filesystem::path>(config));
    }
  }
}

/// Tells Python of a sweep. What its functions raise ends the runs under way after a checkpoint and is raised again by finish().
class Observer {
 public:
  /// `told` has methods with the names of SweepObserver's functions, or is None.
  explicit Observer(const nb::object& told) : told_(told) {}

  SweepObserver observe() {
    if (told_.is_none()) return {};
    return {.on_plan = [this](std::size_t runs, std::size_t done, std::int64_t rounds) { tell("on_plan", runs, done, rounds); },
            .on_start = [this](const std::string& run, const std::filesystem::path& directory,
                               const std::vector<std::string>& objectives) { tell("on_start", run, directory, objectives); },
            .after_round =
                [this](const std::string& run, const nlohmann::ordered_json& row) {
                  tell("on_round", run, row.dump());
                  return !raised_;
                },
            // Also after another has raised, as every run that began has an end.
            .on_end = [this](const std::string& run, const std::string& failure, bool stopped) { call("on_end", run, failure, stopped); },
            .goes_on = [this] { return !raised_; }};
  }

  void finish() {
    if (raised_) throw std::move(*raised_);
  }

 private:
  template <class... Arguments>
  void tell(const char* method, const Arguments&... arguments) {
    if (!raised_) call(method, arguments...);
  }

  template <class... Arguments>
  void call(const char* method, const Arguments&... arguments) {
    const nb::gil_scoped_acquire lock;
    try {
      told_.attr(method)(arguments...);
    } catch (nb::python_error& exception) {
      if (!raised_) raised_.emplace(std::move(exception));
    }
  }

  const nb::object& told_;
  std::optional<nb::python_error> raised_;
};

/// Runs a sweep in this process and writes what it has to show. Returns the failed runs, each with its reason, and the signal that ended
/// the sweep early, or 0.
nb::tuple sweep_from_python(const nb::list& configs, const std::filesystem::path& directory, const std::vector<std::string>& overrides,
                            const std::vector<std::pair<std::string, std::vector<std::string>>>& axes,
                            const std::optional<std::string>& preferences, const std::optional<std::string>& seeds,
                            const std::vector<double>& reference, bool resume, const nb::object& problem, std::size_t jobs,
                            const nb::object& told, bool shows_progress) {
  SweepRequest request;
  request.directory = directory;
  request.overrides = overrides;
  add_configs(configs, request);
  for (const auto& [key, values] : axes) request.axes.push_back({key, values});
  request.preferences = preferences;
  if (seeds) request.seeds = parse_seeds(*seeds);
  request.reference = reference;
  request.resume = resume;
  request.in_processes = false;
  request.jobs = jobs;
  request.shows_progress = shows_progress;
  Observer observer(told);
  request.observer = observer.observe();
  SweepOutcome outcome;
  {
    const CurrentRun current(problem);
    const nb::gil_scoped_release unlocked;
    outcome = sweep(request);
    SweepResults results = SweepResults::load(directory, outcome.plan);
    results.reference = reference;
    results.write(directory);
  }
  observer.finish();
  std::vector<std::pair<std::string, std::string>> failed;
  for (const FailedRun& run : outcome.failed) failed.emplace_back(run.name, run.reason);
  return nb::make_tuple(failed, outcome.signal);
}

}  // namespace

void bind_sweeps(nb::module_& module) {
  module.def("sweep", &sweep_from_python, "configs"_a, "directory"_a, "overrides"_a, "axes"_a, "preferences"_a.none(), "seeds"_a.none(),
             "reference"_a, "resume"_a, "problem"_a.none(), "jobs"_a, "told"_a.none(), "shows_progress"_a);
  module.def("front_csv", [](const std::vector<std::filesystem::path>& folders) { return front_csv(load_runs(folders)); });
}

}  // namespace paretofl::python
