#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/preset_folder.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/problem_split.h"

namespace paretofl {
namespace {

struct SplitArguments {
  std::string config;
  std::string out;
  std::vector<std::string> overrides;
  bool overwrite = false;
  bool json = false;
};

void split(const SplitArguments& arguments) {
  Settings settings = load_config(config_file(arguments.config));
  apply_overrides(settings, arguments.overrides);
  name_loaded_plugins(settings);
  const ResolvedConfig config = resolve_config(settings);
  const SplitOutcome outcome = split_problem(config, arguments.out, arguments.overwrite);
  if (arguments.json) {
    write_output("{}\n", json_text(nlohmann::ordered_json{{"folder", arguments.out},
                                                          {"workload", config.config.workload.name},
                                                          {"clients", outcome.clients},
                                                          {"bytes", outcome.bytes},
                                                          {"fingerprint", outcome.fingerprint}}));
  } else {
    write_output("{}: {}, {} clients and the server, {} bytes; problem {}\n", printable(arguments.out), config.config.workload.name,
                 outcome.clients, outcome.bytes, outcome.fingerprint);
  }
}

}  // namespace

void add_split(CLI::App& app) {
  CLI::App* command = app.add_subcommand("split", "Write the data of each party of a federation into a folder of its own");
  const auto arguments = std::make_shared<SplitArguments>();
  command->add_option("CONFIG", arguments->config, "TOML file, or a preset by name")->required()->type_name("");
  command->add_option("--out", arguments->out, "folder to write client-0, client-1, ..., server and config.toml into")
      ->required()
      ->type_name("DIR");
  command->add_option("--set", arguments->overrides, "key=value, overrides the config; may be given again")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_flag("--overwrite", arguments->overwrite, "replace the split that the folder holds");
  command->add_flag("--json", arguments->json,
                    "print {\"folder\", \"workload\", \"clients\", \"bytes\", \"fingerprint\"} instead of a line");
  command->footer(
      "A client's folder holds its training data and what it holds out itself, the server's what the server evaluates on. All of them "
      "hold\n"
      "the same problem.json, what the parties agree on; the fingerprint is its SHA-256. docs/parties.md describes the files.\n\n"
      "Example: twenty clients of quadratics\n"
      "  paretofl split fedcmoo-quadratics --out parts");
  command->callback([arguments] { split(*arguments); });
}

}  // namespace paretofl
