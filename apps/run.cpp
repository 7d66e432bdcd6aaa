#include "paretofl/runs/run.h"

#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/report/html_report.h"

namespace paretofl {
namespace {

struct Arguments {
  std::string config;
  std::string directory;
  std::string resume;
  std::vector<std::string> overrides;
  bool overwrite = false;
  bool json = false;
};

void execute(const Arguments& arguments) {
  const bool resume = !arguments.resume.empty();
  expect(resume != !arguments.config.empty(), "run: expected either CONFIG or --resume DIR, found {}", resume ? "both" : "neither");
  expect(!resume || arguments.directory.empty(), "run: expected --resume DIR alone, found --dir {} too", arguments.directory);
  expect(!resume || !arguments.overwrite, "run: expected either --resume or --overwrite, found both");
  const RunOutcome outcome = run({.config = arguments.config,
                                  .directory = resume ? arguments.resume : arguments.directory,
                                  .overrides = arguments.overrides,
                                  .overwrite = arguments.overwrite,
                                  .resume = resume});
  if (!outcome.leads) return;
  write_html_report({load_run(outcome.directory)}, outcome.directory / "report.html");
  const std::string directory = outcome.directory.string();
  if (outcome.signal != 0) {
    warn("stopped after round {}; go on with: paretofl run --resume {}", outcome.rounds, directory);
    throw CLI::RuntimeError(128 + outcome.signal);
  }
  if (arguments.json) {
    write_output_bytes(read_file(outcome.directory / "summary.json"));
  } else {
    write_output_path(outcome.directory);
  }
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run an experiment, or go on with one");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("CONFIG", arguments->config, "TOML file, such as experiments/fedcmoo/fedcmoo-glyphs.toml")->type_name("");
  command->add_option("--set", arguments->overrides, "key=value, overrides the config; may be given again")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--dir", arguments->directory, "run directory (default: runs/<strategy>-<workload>-<seed>)")->type_name("DIR");
  command->add_option("--resume", arguments->resume, "go on with the run in this directory from its newest checkpoint")->type_name("DIR");
  command->add_flag("--overwrite", arguments->overwrite, "replace the run that the directory holds");
  command->add_flag("--json", arguments->json, "print summary.json at the end instead of the run directory's name");
  command->footer(
      "Example: a run, and 50 rounds more\n"
      "  paretofl run experiments/fedcmoo/fedcmoo-quadratics.toml --set seed=2 --dir runs/try\n"
      "  paretofl run --resume runs/try --set rounds=150\n"
      "`paretofl list KIND NAME` shows the keys of a strategy, a workload and so on.\n"
      "Exit codes: 0 done, 1 bad input or failed run, "
      "130 stopped by Ctrl-C after a checkpoint (SIGTERM: 143, SIGHUP: 129)");
  command->callback([arguments] { execute(*arguments); });
}

}  // namespace paretofl
