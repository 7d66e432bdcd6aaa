#include "paretofl/runs/run.h"

#include "paretofl/core/error.h"
#include "paretofl/federation/host.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/report/html_report.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/model_export.h"
#include "paretofl/runs/presets.h"
#include "paretofl/runs/run_evaluation.h"
#include "paretofl/runs/tensorboard_writer.h"
#include "paretofl/runs/trained_model.h"
#include "python/bindings/bindings.h"
#include "python/bindings/current_run.h"
#include "python/bindings/python_carrier.h"
#include "python/bindings/python_observer.h"

namespace paretofl::python {
namespace {

nb::tuple run_from_python(const nb::object& config, const std::filesystem::path& directory, const std::vector<std::string>& overrides,
                          bool overwrite, bool resume, const nb::object& problem, const nb::object& on_start, const nb::object& after_round,
                          bool shows_progress, const nb::object& carrier) {
  RunRequest request{.config = {}, .directory = directory, .overrides = overrides, .overwrite = overwrite, .resume = resume};
  request.parent = std::filesystem::current_path();  // a callback or a loss may change it
  request.shows_progress = shows_progress;
  if (nb::isinstance<nb::dict>(config)) {
    request.settings = settings_of(nb::cast<nb::dict>(config));
  } else if (!resume) {
    request.config = nb::cast<std::filesystem::path>(config);
  }
  PythonObserver observer;  // what Python raises ends the run after a checkpoint
  request.on_start = [&](const std::filesystem::path& folder, const std::vector<std::string>& objectives) {
    observer.call_unless_raised([&] { on_start(folder, objectives); });
  };
  request.after_round = [&](const nlohmann::ordered_json& row) {
    observer.call_unless_raised([&] { after_round(nb::module_::import_("json").attr("loads")(row.dump())); });
    return !observer.raised() && !CurrentRun::asked_to_end();
  };
  RunOutcome outcome;
  {
    const CurrentRun current("run", problem);
    const PythonCarrier carried(carrier);
    const nb::gil_scoped_release unlocked;
    outcome = run(request);
  }
  observer.finish();
  return nb::make_tuple(outcome.directory, outcome.signal, outcome.rounds);
}

/// The newest checkpoint's parameters [d], of personalized strategies [n, d], of those with a model for every preference the vertices
/// [M, d]; whether there is a model for every preference; and the model that evaluation.choose_by chose [d], or
/// None. Throws Error where there is no checkpoint.
nb::tuple trained_parameters(const std::filesystem::path& directory) {
  const TrainedModel model = TrainedModel::load(directory);
  const bool several = model.num_clients() > 0 || model.has_preferences();
  const std::span<const float> newest = model.newest();
  return nb::make_tuple(several ? copied_to_numpy(newest, {newest.size() / model.size(), model.size()}) : copied_to_numpy(newest),
                        model.has_preferences(), model.chosen() ? nb::object(copied_to_numpy(model.theta())) : nb::none());
}

/// The model for a preference [M] of any scale at the newest checkpoint: [d]. Throws Error as TrainedModel does.
nb::object preferred_parameters(const std::filesystem::path& directory, const std::vector<double>& preference) {
  const std::vector<float> theta = TrainedModel::load(directory).at(preference);
  return copied_to_numpy(std::span(theta));
}

/// What evaluate_run returns, as a dictionary. `problem` is that of a run of one, or None.
nb::object evaluate_from_python(const std::filesystem::path& directory, const std::filesystem::path& data_root, const nb::object& problem,
                                std::optional<std::vector<double>> preference) {
  std::string evaluation;
  {
    const CurrentRun current("evaluate", problem);
    const nb::gil_scoped_release unlocked;
    evaluation = evaluate_run({.run = directory, .preference = std::move(preference), .data_root = data_root}).dump();
  }
  return nb::module_::import_("json").attr("loads")(evaluation);
}

}  // namespace

void bind_runs(nb::module_& module) {
  add_python_workload();
  module.def("ask_to_end", &CurrentRun::ask_to_end);
  module.def("run", &run_from_python, "config"_a.none(), "directory"_a, "overrides"_a, "overwrite"_a, "resume"_a, "problem"_a.none(),
             "on_start"_a, "after_round"_a, "shows_progress"_a, "carrier"_a.none());
  module.def(
      "host",
      [](const nb::dict& settings, const std::vector<std::string>& overrides, int client, const std::filesystem::path& socket,
         const std::filesystem::path& state, const nb::object& problem) {
        const CurrentRun current("host", problem);
        HostRequest request{.config = {},
                            .overrides = overrides,
                            .settings = settings_of(settings),
                            .client = client,
                            .data = {},
                            .socket = socket,
                            .state = state};
        const nb::gil_scoped_release unlocked;
        return host(request);
      },
      "settings"_a, "overrides"_a, "client"_a, "socket"_a, "state"_a, "problem"_a);
  module.def("read_config", [](const std::filesystem::path& file) { return dict_of(load_config(file)); });
  module.def("scalars", [](const std::string& row, const std::vector<std::string>& objectives) {
    std::vector<std::pair<std::string, double>> scalars;
    for (const TensorboardScalar& scalar : tensorboard_scalars(nlohmann::json::parse(row), objectives)) {
      scalars.emplace_back(scalar.tag, scalar.value);
    }
    return scalars;
  });
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
  module.def("preferred_parameters", &preferred_parameters, "directory"_a, "preference"_a);
  module.def("evaluate", &evaluate_from_python, "directory"_a, "data_root"_a, "problem"_a.none(), "preference"_a.none());
  module.def(
      "export_model",
      [](const std::filesystem::path& directory, const std::string& format, const std::filesystem::path& file, std::optional<int> client,
         std::optional<std::vector<double>> preference) {
        export_model({.run = directory, .format = format, .output = file, .client = client, .preference = std::move(preference)});
      },
      "directory"_a, "format"_a, "file"_a, "client"_a.none(), "preference"_a.none(), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "write_report",
      [](const std::vector<std::filesystem::path>& folders, const std::filesystem::path& page) {
        write_html_report(load_runs(folders), page);
      },
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace paretofl::python
