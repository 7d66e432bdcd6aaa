#include "paretofl/runs/run.h"

#include <memory>
#include <optional>

#include "apps/commands.h"
#include "apps/preset_folder.h"
#include "apps/run_end.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

struct Arguments {
  std::string config;
  std::optional<std::string> directory;
  std::string resume;
  std::vector<std::string> overrides;
  bool overwrite = false;
  bool json = false;
};

void execute(const Arguments& arguments) {
  const bool resume = !arguments.resume.empty();
  expect(resume != !arguments.config.empty(), "run: expected either CONFIG or --resume DIR, found {}", resume ? "both" : "neither");
  expect(!resume || !arguments.directory, "run: expected --resume DIR alone, found --dir {} too", arguments.directory.value_or(""));
  expect(!arguments.directory || !arguments.directory->empty(), "run: expected the name of a folder after --dir, found nothing");
  expect(!resume || !arguments.overwrite, "run: expected either --resume or --overwrite, found both");
  const RunOutcome outcome = run({.config = resume ? std::filesystem::path() : config_file(arguments.config),
                                  .directory = resume ? arguments.resume : arguments.directory.value_or(""),
                                  .overrides = arguments.overrides,
                                  .overwrite = arguments.overwrite,
                                  .resume = resume});
  end_run(outcome, "run", arguments.json);
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run an experiment, or go on with one");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("CONFIG", arguments->config, "TOML file, or a preset by name, such as fedcmoo-glyphs (paretofl list presets)")
      ->type_name("");
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
      "  paretofl run fedcmoo-quadratics --set seed=2 --dir runs/try\n"
      "  paretofl run --resume runs/try --set rounds=150\n"
      "A table of the final figures, the report's path and a command to try next follow on standard error.\n"
      "`paretofl list KIND NAME` shows the keys of a strategy, a workload and so on.\n"
      "Exit codes: 0 done, 1 bad input or failed run, "
      "130 stopped by Ctrl-C after a checkpoint (SIGTERM: 143, SIGHUP: 129)");
  command->callback([arguments] { execute(*arguments); });
}

}  // namespace paretofl
