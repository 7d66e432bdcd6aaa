#include "paretofl/federation/federate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "apps/preset_folder.h"
#include "apps/run_end.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

struct FederateArguments {
  std::string config;
  FederateRequest request;
  std::string resume;
  std::string carrier = "flower";
  std::optional<int> parties = {};
  bool json = false;
};

void federate(FederateArguments& arguments) {
  FederateRequest& request = arguments.request;
  request.resume = !arguments.resume.empty();
  expect(request.resume != !arguments.config.empty(), "federate: expected either CONFIG or --resume DIR, found {}",
         request.resume ? "both" : "neither");
  expect(request.resume != !request.directory.empty(), "federate: expected --dir with CONFIG and without --resume");
  expect(!request.resume || !request.overwrite, "federate: expected --overwrite with CONFIG alone, found it with --resume");
  request.flower = arguments.carrier == "flower";
  expect(!request.flower || !request.resume || request.overrides.empty(),
         "federate: expected --set with --resume and --carrier sockets only, found it with Flower");
  expect(arguments.parties || !request.flower, "federate: expected --parties with Flower, found none");
  expect(!arguments.parties || request.flower, "federate: expected --parties with Flower alone, found it with --carrier sockets");
  request.parties = arguments.parties.value_or(1);
  if (request.resume) {
    request.directory = arguments.resume;
  } else {
    request.config = config_file(arguments.config);
  }
  const RunOutcome outcome = paretofl::federate(request);
  end_run(outcome, request.flower ? fmt::format("federate --parties {}", request.parties) : "federate --carrier sockets", arguments.json);
}

}  // namespace

void add_federate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("federate", "Run a whole federation on this machine, each client in a process of its own");
  const auto arguments = std::make_shared<FederateArguments>();
  command->add_option("CONFIG", arguments->config, "TOML file or preset")->type_name("");
  command->add_option("--dir", arguments->request.directory, "run directory; the parties' folders are in DIR/federation")->type_name("DIR");
  command
      ->add_option("--parties", arguments->parties, "number of parties to which the clients are dealt in turn; only with --carrier flower")
      ->transform(whole_number())
      ->type_name("N");
  command->add_option("--carrier", arguments->carrier, "what carries the messages: flower (default), or sockets without it")
      ->check(CLI::IsMember({"flower", "sockets"}))
      ->type_name("NAME");
  command->add_option("--set", arguments->request.overrides, "key=value, overrides the config; may be given again")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--resume", arguments->resume, "go on with the federation in this directory")->type_name("DIR");
  command->add_flag("--overwrite", arguments->request.overwrite, "replace what the directory holds");
  command->add_flag("--json", arguments->json, "print summary.json at the end instead of the run directory's name");
  command->footer(
      "The parameters are those of `paretofl run CONFIG`, bit for bit.\n\n"
      "Every client is a process with its own part of the data (paretofl host). Flower adds a SuperLink and one SuperNode per party,\n"
      "with TLS and keys of their own; `make flower` installs it, and PARETOFL_PYTHON names another Python that has it.\n\n"
      "Example: with Flower between the parties, and without\n"
      "  paretofl federate fedcmoo-quadratics --parties 4 --set rounds=2 --dir runs/flower\n"
      "  paretofl federate fedcmoo-quadratics --carrier sockets --dir runs/sockets");
  command->callback([arguments] { federate(*arguments); });
}

}  // namespace paretofl
