#include "paretofl/sweeps/sweep.h"

#include "paretofl/report/front_csv.h"
#include "paretofl/sweeps/sweep_results.h"
#include "python/bindings/bindings.h"
#include "python/bindings/current_run.h"
#include "python/bindings/python_observer.h"

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

/// Tells Python of a sweep, as long as the observer lives. What Python raises ends the runs under way after a checkpoint. `told` has
/// methods with the names of SweepObserver's functions, or is None.
SweepObserver observed_by(PythonObserver& observer, const nb::object& told) {
  if (told.is_none()) return {};
  return {.on_plan = [&](std::size_t runs, std::size_t done,
                         std::int64_t rounds) { observer.call_unless_raised([&] { told.attr("on_plan")(runs, done, rounds); }); },
          .on_start =
              [&](const std::string& run, const std::filesystem::path& directory, const std::vector<std::string>& objectives) {
                observer.call_unless_raised([&] { told.attr("on_start")(run, directory, objectives); });
              },
          .after_round =
              [&](const std::string& run, const nlohmann::ordered_json& row) {
                observer.call_unless_raised([&] { told.attr("on_round")(run, row.dump()); });
                return !observer.raised() && !CurrentRun::asked_to_end();
              },
          // Also after another has raised, as every run that began has an end.
          .on_end = [&](const std::string& run, const std::string& failure,
                        bool stopped) { observer.call([&] { told.attr("on_end")(run, text_to_python(failure), stopped); }); },
          .goes_on = [&] { return !observer.raised() && !CurrentRun::asked_to_end(); }};
}

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
  PythonObserver observer;
  request.observer = observed_by(observer, told);
  SweepOutcome outcome;
  {
    const CurrentRun current("sweep", problem);
    const nb::gil_scoped_release unlocked;
    outcome = sweep(request);
    SweepResults results = SweepResults::load(directory, outcome.plan);
    results.reference = reference;
    for (const FailedRun& run : outcome.failed) results.failed.insert(run.name);
    results.write(directory);
  }
  observer.finish();
  nb::list failed;
  for (const FailedRun& run : outcome.failed) failed.append(nb::make_tuple(run.name, text_to_python(run.reason)));
  return nb::make_tuple(failed, outcome.signal);
}

}  // namespace

void bind_sweeps(nb::module_& module) {
  module.def("sweep", &sweep_from_python, "configs"_a, "directory"_a, "overrides"_a, "axes"_a, "preferences"_a.none(), "seeds"_a.none(),
             "reference"_a, "resume"_a, "problem"_a.none(), "jobs"_a, "told"_a.none(), "shows_progress"_a);
  module.def("front_csv", [](const std::vector<std::filesystem::path>& folders) { return front_csv(load_runs(folders)); });
}

}  // namespace paretofl::python
