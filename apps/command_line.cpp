#include "apps/command_line.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/parse_error.h"
#include "apps/plugin_option.h"
#include "paretofl/core/build_facts.h"
#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/registry/registry.h"
#include "paretofl/runtimes/intra_op_threads.h"
#include "paretofl/terminal/fitted_text.h"

namespace paretofl {
namespace {

void expect_known_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || *argv[1] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands(nullptr)) names.push_back(subcommand->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
  const std::string near = nearest(argv[1], names);
  throw Error(fmt::format("expected a command of {}, found '{}'{}", fmt::join(names, ", "), argv[1],
                          near.empty() ? "" : "; did you mean " + near + "?"));
}

void run_command(CLI::App& app, int argc, char** argv) {
  try {
    expect_known_subcommand(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::RuntimeError*>(&error) != nullptr || error.get_exit_code() != 0) throw;
    std::ostringstream help;  // or the version
    app.exit(error, help, help);
    write_output_bytes(fitted_text(help.view(), output_columns()));
  }
  finish_output();
}

}  // namespace

int run_command_line(int argc, char** argv) {
  prepare_standard_streams();
  limit_intra_op_threads();
  CLI::App app{"ParetoFL: federated multi-objective learning, bit-reproducible", "paretofl"};
  app.require_subcommand(1);
  app.footer("Example: paretofl run fedcmoo-glyphs --dir runs/glyphs\n`paretofl SUBCOMMAND --help` has more.");
  app.set_version_flag("--version", "paretofl " + version_text());
  add_run(app);
  add_sweep(app);
  add_list(app);
  add_data(app);
  add_split(app);
  add_weights(app);
  add_indicators(app);
  add_epsilon(app);
  add_rollout(app);
  add_tokenize(app);
  add_generate(app);
  add_convert(app);
  add_report(app);
  add_serve(app);
  add_evaluate(app);
  add_export(app);
  add_score(app);
  add_train_lm(app);
  add_train_reward(app);
  add_questions(app);
  add_host(app);
  add_federate(app);
  add_plugin_options(app);
  try {
    run_command(app, argc, argv);
  } catch (const CLI::RuntimeError& exit) {
    return exit.get_exit_code();
  } catch (const CLI::ParseError& error) {
    warn("{}", parse_error_text(app, error));
    return 1;
  } catch (const std::exception& error) {
    warn("{}", explanation(error));
    return 1;
  } catch (...) {
    warn("expected exceptions derived from std::exception, found one of an unknown type, as a plugin can throw");
    return 1;
  }
  return 0;
}

}  // namespace paretofl
