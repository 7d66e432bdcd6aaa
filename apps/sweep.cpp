#include "paretofl/sweeps/sweep.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "apps/preset_folder.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/shell_word.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/objectives/point_file.h"
#include "paretofl/report/front_csv.h"
#include "paretofl/sweeps/sweep_results.h"
#include "paretofl/terminal/color_choice.h"
#include "paretofl/terminal/terminal_report.h"

namespace paretofl {
namespace {

constexpr const char* kSweepFooter =
    R"(Every combination of the configs, each --over's values, the preferences and the seeds is one run with a
folder of its own below DIR. Commas in brackets belong to a value: --over 'strategy.preference=[1,2],[2,1]'.
--preferences sweeps the strategy's option `preference` or `objective_weights`:
  N            N preferences, evenly spaced, all positive
  NAME:N       N preferences of a distribution (paretofl list preference-distributions)
  FILE         a CSV file, one preference per row
  [1,2],[2,1]  these
A run that fails stops no other. Ctrl-C lets running rounds end and checkpoints them; after that, or after
kill -9, the same command with --resume (or `paretofl sweep --resume DIR`) goes on. With --seeds or
--preferences that the sweep doesn't have yet, --resume adds the runs for them.
DIR then holds sweep.csv (one row per run, with a mark on those on the Pareto front), sweep.json, report.html,
and the runs. Where the seed changes the problem itself, there is one front per seed.

Example: five seeds of two step sizes, two runs at a time
  paretofl sweep experiments/fedcmoo/fedcmoo-quadratics.toml --over strategy.client_lr=0.02,0.05 \
    --seeds 1..5 --jobs 2 --dir runs/sweep
and two more seeds
  paretofl sweep --resume runs/sweep --seeds 6,7
Exit codes: 0 all runs done, 1 bad input or a failed run, 130 stopped by Ctrl-C (SIGTERM: 143, SIGHUP: 129))";

struct SweepArguments {
  SweepRequest request;
  std::vector<std::string> configs;
  std::vector<std::string> over;
  std::optional<std::string> preferences;
  std::optional<std::string> seeds;
  std::optional<std::string> reference;
  std::filesystem::path front_csv;
  bool json = false;
};

void print_results(const SweepResults& results, const std::filesystem::path& directory, bool json) {
  results.write(directory);
  if (json) {
    write_output("{}\n", json_text(results.json(directory)));
  } else if (!results.runs.empty()) {
    write_output("{}{}\n", terminal_report(results.runs, {.color = output_takes_color(), .reference = results.reference}),
                 results.front_text() + results.client_text());
    write_output_path(directory / "sweep.csv");
  }
}

void execute_sweep(const SweepArguments& arguments) {
  SweepRequest request = arguments.request;
  const bool names_folder = request.resume && request.directory.empty() && arguments.configs.size() == 1;
  if (names_folder && std::filesystem::is_directory(arguments.configs[0])) {
    request.directory = arguments.configs[0];
  } else {
    expect(!names_folder, "sweep: expected the folder of a sweep after --resume, or --dir DIR, found '{}'",
           names_folder ? printable(arguments.configs[0]) : "");
    for (const std::string& config : arguments.configs) request.configs.push_back(config_file(config));
  }
  for (const std::string& axis : arguments.over) request.axes.push_back(parse_axis(axis));
  request.preferences = arguments.preferences;
  if (arguments.seeds) request.seeds = parse_seeds(*arguments.seeds);
  if (arguments.reference) request.reference = parse_point(*arguments.reference, "--reference");
  const std::filesystem::path front_folder = arguments.front_csv.parent_path();  // before the runs, which take longer
  expect(front_folder.empty() || std::filesystem::is_directory(front_folder),
         "--front-csv: expected a file in a folder that exists, found {}", printable(arguments.front_csv.string()));
  expect(!std::filesystem::is_directory(arguments.front_csv), "--front-csv: expected a file, found the folder {}",
         printable(arguments.front_csv.string()));
  const SweepOutcome outcome = sweep(request);
  SweepResults results = SweepResults::load(request.directory, outcome.plan);
  results.reference = request.reference;
  for (const FailedRun& run : outcome.failed) results.failed.insert(run.name);  // also those that failed before they had a summary
  // First, since the results may not fit on the disk.
  for (const FailedRun& run : outcome.failed) warn("{} failed: {}", run.name, run.reason);
  if (outcome.signal != 0) warn("stopped; continue with: paretofl sweep --resume --dir {}", shell_word(request.directory.string()));
  print_results(results, request.directory, arguments.json);
  if (!arguments.front_csv.empty()) write_whole_file(arguments.front_csv, front_csv(results.runs));
  if (outcome.signal != 0) throw CLI::RuntimeError(128 + outcome.signal);
  if (!outcome.failed.empty()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* command = app.add_subcommand("sweep", "A grid of runs over seeds, preferences or any key of the config");
  const auto arguments = std::make_shared<SweepArguments>();
  SweepRequest& request = arguments->request;
  command->add_option("CONFIG", arguments->configs, "TOML files or presets by name; several are one dimension of the grid")->type_name("");
  command->add_option("--dir", request.directory, "folder for the runs and their table")->type_name("DIR");
  command->add_option("--set", request.overrides, "key=value, overrides every config; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--over", arguments->over, "key=v1,v2,..: a dimension of the grid; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=V1,V2,..");
  command->add_option("--seeds", arguments->seeds, "seeds: 1,2,3 or 1..5")->type_name("LIST");
  command->add_option("--preferences", arguments->preferences, "preference vectors: N, NAME:N, FILE or a list")->type_name("WHICH");
  command
      ->add_option("--reference", arguments->reference,
                   "reference point of the hypervolumes, one number per objective (default: the worst values)")
      ->type_name("POINT");
  command->add_option("--front-csv", arguments->front_csv, "CSV file to write: the runs on the Pareto front, one row each")
      ->type_name("FILE");
  command->add_option("--jobs", request.jobs, "runs at a time (default: as many as fit on the cores)")
      ->transform(whole_number())
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  command->add_flag("--resume", request.resume, "go on with the sweep in DIR, or grow it by seeds and preferences; CONFIG may be left out");
  command->add_flag("--json", arguments->json, "print sweep.json instead of tables");
  command->footer(kSweepFooter);
  command->callback([arguments] { execute_sweep(*arguments); });
}

}  // namespace paretofl
