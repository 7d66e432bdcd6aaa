#include <fmt/format.h>

#include <string>

#include "apps/commands.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

void add_missing(CLI::App& app, const std::string& name) {
  auto* command = app.add_subcommand(name, "Language models, which this build leaves out; `make build` has it");
  command->allow_extras();
  command->callback(
      [name] { throw Error(fmt::format("{}: expected a build with language models, as `make build` makes it, found one without", name)); });
}

}  // namespace

void add_tokenize(CLI::App& app) { add_missing(app, "tokenize"); }
void add_generate(CLI::App& app) { add_missing(app, "generate"); }
void add_score(CLI::App& app) { add_missing(app, "score"); }
void add_train_lm(CLI::App& app) { add_missing(app, "train-lm"); }
void add_train_reward(CLI::App& app) { add_missing(app, "train-reward"); }

}  // namespace paretofl
