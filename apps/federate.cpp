#include "paretofl/federation/federate.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/commands.h"
#include "apps/preset_folder.h"
#include "apps/run_end.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

struct FederateArguments {
  std::string config;
  FederateRequest request;
  std::string resume;
  bool json = false;
};

void federate(FederateArguments& arguments) {
  FederateRequest& request = arguments.request;
  request.resume = !arguments.resume.empty();
  expect(request.resume != !arguments.config.empty(), "federate: expected either CONFIG or --resume DIR, found {}",
         request.resume ? "both" : "neither");
  expect(request.resume != !request.directory.empty(), "federate: expected --dir with CONFIG and without --resume");
  if (request.resume) {
    request.directory = arguments.resume;
  } else {
    request.config = config_file(arguments.config);
  }
  end_run(paretofl::federate(request), "federate", arguments.json);
}

}  // namespace

void add_federate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("federate", "Run a whole federation on this machine, each client in a process of its own");
  const auto arguments = std::make_shared<FederateArguments>();
  command->add_option("CONFIG", arguments->config, "TOML file or preset")->type_name("");
  command->add_option("--dir", arguments->request.directory, "run directory; the parties' folders are in DIR/federation")->type_name("DIR");
  command->add_option("--set", arguments->request.overrides, "key=value, overrides the config; may be given again")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--resume", arguments->resume, "go on with the federation in this directory")->type_name("DIR");
  command->add_flag("--overwrite", arguments->request.overwrite, "replace what the directory holds");
  command->add_flag("--json", arguments->json, "print summary.json at the end instead of the run directory's name");
  command->footer(
      "The parameters are those of `paretofl run CONFIG`, bit for bit.\n\n"
      "Example:\n"
      "  paretofl federate fedcmoo-quadratics --set rounds=5 --dir runs/federation");
  command->callback([arguments] { federate(*arguments); });
}

}  // namespace paretofl
